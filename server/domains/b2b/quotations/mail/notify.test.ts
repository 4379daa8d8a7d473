import { beforeEach, describe, expect, test } from 'vitest'
import type { Tx } from '#platform/db/database.ts'
import type { Mail } from '#platform/mail/mailer.ts'
import type { Person } from '../dependencies.ts'
import type { Quotation } from '../quotation.ts'
import { makeNotify } from './notify.ts'
import type { Notice } from './notice.ts'
import { wordings, type Occasion } from './wordings.ts'

const person = (id: number, email: string, fields: Partial<Person> = {}): Person => ({
  id,
  email,
  firstName: '',
  lastName: '',
  isActive: true,
  isStaff: false,
  isSuperuser: false,
  division: null,
  ...fields,
})
const everybody = [
  person(1, 'owner', { firstName: 'Ann', lastName: '<b>Buyer</b>', division: 20 }),
  person(2, 'main-1', { division: 10 }),
  person(3, 'main-2', { division: 10 }),
  person(4, 'assignee', { isStaff: true }),
  person(5, 'former', { isStaff: true, isActive: false }),
  person(6, 'moved'),
  person(8, 'inactive', { division: 20, isActive: false }),
  ...Array.from({ length: 30 }, (_, index) => person(100 + index, `super-${index}`, { isSuperuser: true })),
]
const quotation: Quotation = {
  id: 9,
  number: 'Q-2026-000009',
  name: 'Spring "order"\nPay here',
  userId: 1,
  divisionId: 20,
  rootDivisionId: 10,
  status: 'pending',
  version: 1,
  revision: 1,
  currency: 'EUR',
  totalAmount: 777_777n,
  netAmount: 777_777n,
  expiresAt: new Date('2026-12-21T09:30:00.000Z'),
  assignee: null,
  rejectedByMain: false,
  reason: null,
  reasonBy: null,
  consentedRevision: null,
  consentedAmount: 777_777n,
  batchSize: null,
  sentAt: null,
  remindedAt: null,
  createdAt: new Date(0),
  modifiedAt: new Date(0),
}

const sent: Mail[] = []
const notify = (notices: readonly Notice[], isConfigured = true) =>
  makeNotify({
    mailer: { isConfigured, send: async (_tx, mail) => void sent.push(mail) },
    people: {
      findAll: async (_tx, ids) => everybody.filter(({ id }) => ids.includes(id)),
      superusers: async (_tx, most) => everybody.filter(({ isSuperuser }) => isSuperuser).slice(0, most),
      ofDivision: async (_tx, id) => (id === 10 ? everybody.filter(({ email }) => email.startsWith('main')) : []),
    },
    baseUrl: () => 'https://waybill.example',
  })({} as Tx, notices)
const told = async (occasion: Occasion, fields: Partial<Quotation> = {}, doer: number | null = null) => {
  sent.length = 0
  await notify([{ occasion, quotation: { ...quotation, ...fields }, doer }])
  return sent.map(({ to }) => to)
}
beforeEach(() => {
  sent.length = 0
})

const superusers = Array.from({ length: 20 }, (_, index) => `super-${index}`)

describe('who is told', () => {
  test.each<[Occasion, readonly string[]]>([
    ['requested', ['main-1', 'main-2']],
    ['pending', superusers],
    ['recalled', ['owner']],
    ['offered', ['owner']],
    ['reminded', ['owner']],
    ['approved', ['owner', 'main-1', 'main-2']],
    ['rejected', ['owner']],
    ['rejected_by_main', ['owner']],
    ['expired', ['owner']],
    ['accepted', superusers],
    ['refused', superusers],
    ['refused_by_main', superusers],
    ['cancelled', superusers],
    ['answered', []],
    ['commented', ['owner']],
    ['expiring_seller', superusers],
    ['expiring_owner', ['owner']],
  ])('a notice of %s goes to its recipients', async (occasion, expected) => {
    expect(await told(occasion)).toEqual(expected)
  })

  test.each(['pending', 'answered', 'accepted', 'cancelled', 'expiring_seller'] as const)(
    'a notice of %s goes to the assignee alone, where there is one',
    async (occasion) => {
      expect(await told(occasion, { assignee: 4 })).toEqual(['assignee'])
    },
  )

  test('superusers are told instead of an assignee who has left, or left the back office', async () => {
    expect(await told('pending', { assignee: 5 })).toEqual(superusers)
    expect(await told('pending', { assignee: 6 })).toEqual(superusers)
    expect(await told('answered', { assignee: 5 })).toEqual([])
  })

  test('nobody is told of what they did themselves, but the owner of an approval', async () => {
    expect(await told('rejected', {}, 1)).toEqual([])
    expect(await told('pending', { assignee: 4 }, 4)).toEqual([])
    expect(await told('approved', {}, 1)).toContain('owner')
  })

  test('an owner who may not log in any more is not told', async () => {
    expect(await told('offered', { userId: 8 })).toEqual([])
  })

  test('a main division is told once of its own quotation', async () => {
    expect(await told('approved', { divisionId: 10 })).toEqual(['owner'])
  })
})

test('each person gets one message about all quotations', async () => {
  const notice = (fields: Partial<Quotation>): Notice => ({
    occasion: 'approved',
    quotation: { ...quotation, ...fields },
    doer: null,
  })
  await notify([notice({}), notice({ id: 10, number: 'Q-2026-000010' }), notice({ id: 11, userId: 2 })])
  expect(sent.map(({ to, subject }) => [to, /\(and \d+ more\)/.exec(subject)?.[0]])).toEqual([
    ['owner', '(and 1 more)'],
    ['main-1', '(and 2 more)'],
    ['main-2', '(and 2 more)'],
  ])
  for (const link of ['/9/', '/10/']) expect(sent[0]?.text).toContain(`/api/v1/my-quotations${link}`)
})

test('without e-mail nobody is looked up', async () => {
  await notify([{ occasion: 'pending', quotation, doer: null }], false)
  expect(sent).toEqual([])
})

describe('what is told', () => {
  test.each(Object.keys(wordings) as Occasion[])(
    'a message about %s names the quotation, links to it, and has no price',
    async (occasion) => {
      await notify([{ occasion, quotation: { ...quotation, assignee: 4 }, doer: null }])
      const path = wordings[occasion].recipients.some((one) => one === 'owner' || one === 'main')
        ? 'my-quotations'
        : 'quotations'
      expect(sent).not.toEqual([])
      for (const { subject, text, html } of sent) {
        expect(subject).toContain('Quotation Q-2026-000009 “Spring')
        expect(text).toContain('Quotation Q-2026-000009 “Spring "order" Pay here” ')
        expect(text.split('\n').at(-1)).toBe(`https://waybill.example/api/v1/${path}/9/`)
        expect(html).toContain(`<a href="https://waybill.example/api/v1/${path}/9/">`)
        expect(html).toContain('“Spring &quot;order&quot; Pay here”')
        expect(`${subject}${text}${html}`).not.toMatch(/777|EUR/)
      }
    },
  )

  test('a message to others than the owner names the owner, escaped', async () => {
    await told('requested')
    expect(sent[0]?.text).toContain('\nAnn <b>Buyer</b> asked for it.\n')
    expect(sent[0]?.html).toContain('<p>Ann &lt;b&gt;Buyer&lt;/b&gt; asked for it.</p>')
  })

  test('a message says when the quotation expires, where that matters', async () => {
    await told('offered')
    expect(sent[0]?.text).toContain('It expires at 2026-12-21T09:30:00.000Z.')
    await told('offered', { expiresAt: null })
    expect(sent[0]?.text).not.toContain('expires')
  })

  test('a message quotes a comment line by line', async () => {
    await notify([{ occasion: 'commented', quotation, doer: 4, said: 'Fine & good.\r\nIt is <approved>.' }])
    expect(sent[0]?.text).toContain('\nassignee wrote:\n> Fine & good.\n> It is <approved>.\n')
    expect(sent[0]?.html).toContain('<p>&gt; It is &lt;approved&gt;.</p>')
  })
})
