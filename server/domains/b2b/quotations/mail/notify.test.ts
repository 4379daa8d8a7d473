import { beforeEach, describe, expect, test } from 'vitest'
import type { Tx } from '#platform/db/database.ts'
import type { Mail } from '#platform/mail/mailer.ts'
import { mailLocales } from '#platform/mail/reader.ts'
import { bothWords } from '#testing/mail-words.ts'
import type { Person } from '../dependencies.ts'
import type { Quotation } from '../quotation.ts'
import { makeNotify } from './notify.ts'
import type { Notice } from './notice.ts'
import { occasions, type Occasion } from './occasions.ts'
import { quotationLetter } from './quotation-letter.ts'
import { words } from './words.ts'

const person = (id: number, email: string, fields: Partial<Person> = {}): Person => ({
  id,
  email,
  firstName: '',
  lastName: '',
  isActive: true,
  isStaff: false,
  isSuperuser: false,
  division: null,
  locale: '',
  timeZone: '',
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
  person(9, 'ayşe', { locale: 'tr', timeZone: 'Europe/Istanbul' }),
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
const notify = (notices: readonly Notice[]) =>
  makeNotify({
    mailer: { send: async (_tx, mails) => void sent.push(...mails) },
    people: {
      findAll: async (_tx, ids) => everybody.filter(({ id }) => ids.includes(id)),
      superusers: async (_tx, most) => everybody.filter(({ isSuperuser }) => isSuperuser).slice(0, most),
      ofDivision: async (_tx, id) => (id === 10 ? everybody.filter(({ email }) => email.startsWith('main')) : []),
    },
    pages: { quotation: (surface, id) => `https://${surface}.example/quotations/${id}` },
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
  for (const id of [9, 10]) expect(sent[0]?.text).toContain(`\nhttps://storefront.example/quotations/${id}\n`)
})

describe('what is told', () => {
  const cases = mailLocales.flatMap((locale) =>
    (Object.keys(occasions) as Occasion[]).flatMap((occasion) =>
      occasions[occasion].recipients.map((recipient) => ({ locale, occasion, recipient })),
    ),
  )

  test.each(cases)('of $occasion to $recipient in $locale is whole', ({ locale, occasion, recipient }) => {
    const link = 'https://pages.example/quotations/9'
    const notice: Notice = { occasion, quotation, doer: 4, said: 'Fine & good.\nIt is <approved>.' }
    const [owner, doer] = [everybody[0], everybody[3]]
    const letter = quotationLetter({ locale, timeZone: 'Europe/Istanbul' }, [{ notice, recipient, owner, doer, link }])
    const name = `${locale === 'en' ? 'Quotation' : 'Teklif'} Q-2026-000009 “Spring "order" Pay here”`
    expect(letter.text.startsWith(name)).toBe(true)
    expect(letter.text).toContain(`\n${link}\n`)
    expect(letter.html).toContain(`<a class="button" href="${link}"`)
    expect(letter.text).toContain('\n> Fine & good.\n> It is <approved>.\n')
    expect(letter.text.includes('Ann <b>Buyer</b>')).toBe(recipient !== 'owner')
    const showsExpiry = 'showsExpiry' in occasions[occasion]
    expect(letter.text.includes(locale === 'en' ? 'December 2026 at 12:30' : 'Aralık 2026 Pazartesi 12:30')).toBe(
      showsExpiry,
    )
    const [html, text] = bothWords(letter)
    expect(html).toBe(text)
    expect(Object.values(letter).join('')).not.toMatch(/777|EUR|undefined|null|NaN|\[object/)
  })

  test('no two occasions of a reader read alike, and no Turkish is English', () => {
    for (const { occasions: texts } of Object.values(words)) {
      const said = Object.values(texts).map(({ what, advice }) => `${what} ${advice}`)
      expect(new Set(said).size).toBe(said.length)
    }
    const english = new Set(Object.values(words.en.occasions).flatMap(({ what, advice }) => [what, advice]))
    for (const { what, advice } of Object.values(words.tr.occasions))
      expect([english.has(what), english.has(advice)]).toEqual([false, false])
  })

  test('is written to each reader in their language and at their time, and leads to their page', async () => {
    await notify([
      { occasion: 'offered', quotation: { ...quotation, userId: 9 }, doer: null },
      { occasion: 'expiring_seller', quotation: { ...quotation, assignee: 4 }, doer: null },
    ])
    expect(sent.map(({ to, purpose, locale }) => [to, purpose, locale])).toEqual([
      ['ayşe', 'quotation', 'tr'],
      ['assignee', 'quotation', 'en'],
    ])
    expect(sent[0]?.subject).toBe('Teklif Q-2026-000009 “Spring "order"\nPay here”: onayınızı bekliyor')
    expect(sent[0]?.text).toContain('Geçerlilik sonu: 21 Aralık 2026 Pazartesi 12:30 (Türkiye Standart Saati)')
    expect(sent[0]?.text).toContain('https://storefront.example/quotations/9')
    expect(sent[1]?.text).toContain('Expires: Monday, 21 December 2026 at 09:30 (UTC)')
    expect(sent[1]?.text).toContain('https://admin.example/quotations/9')
  })

  test('names no end where there is none', async () => {
    await told('offered', { expiresAt: null })
    expect(sent[0]?.text).not.toContain('Expires')
  })

  test('names whoever wrote a comment, line by line', async () => {
    await notify([{ occasion: 'commented', quotation, doer: 4, said: 'Fine & good.\r\nIt is <approved>.' }])
    expect(sent[0]?.text).toContain('\nassignee wrote:\n> Fine & good.\n> It is <approved>.\n')
    expect(sent[0]?.html).toContain('It is &lt;approved&gt;.')
  })
})
