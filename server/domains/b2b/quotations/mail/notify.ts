import { letter, type Section } from '#platform/mail/letter.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { Person, Notify } from '../dependencies.ts'
import type { Quotation } from '../quotation.ts'
import { pathOf, type Surface } from '../rules/vocabulary.ts'
import { findKnown, recipientsOf, type Known, type NotifiedPeople } from './recipients.ts'
import type { Notice } from './notice.ts'
import { wordings, type Recipient, type Wording } from './wordings.ts'

export interface NotifyDeps {
  readonly mailer: Mailer
  readonly people: NotifiedPeople
  readonly baseUrl: () => string
}

/** Makes the function that sends notices, one message per person, stored with `tx`. Without e-mail it does nothing. */
export const makeNotify =
  ({ mailer, people, baseUrl }: NotifyDeps): Notify =>
  async (tx, notices) => {
    if (!mailer.isConfigured || notices.length === 0) return
    const known = await findKnown(tx, people, notices)
    for (const { person, told } of shares(notices, known, baseUrl())) {
      const [first] = told
      if (first === undefined) continue
      const subject = subjectOf(first.notice, told.length - 1)
      await mailer.send(tx, { to: person.email, subject, ...letter(told.map(({ section }) => section)) })
    }
  }

/** The notice for one person. */
interface Share {
  readonly person: Person
  readonly told: { readonly notice: Notice; readonly section: Section }[]
}

const shares = (notices: readonly Notice[], known: Known, baseUrl: string): Iterable<Share> => {
  const byPerson = new Map<number, Share>()
  for (const notice of notices) {
    const owner = known.byId.get(notice.quotation.userId)
    const doer = notice.doer === null ? undefined : known.byId.get(notice.doer)
    for (const [person, recipient] of recipientsOf(notice, known)) {
      const share = byPerson.get(person.id) ?? { person, told: [] }
      share.told.push({ notice, section: sectionOf(notice, { recipient, owner, doer, baseUrl }) })
      byPerson.set(person.id, share)
    }
  }
  return byPerson.values()
}

/** Where each looks at quotations. */
const surfaceOf: Readonly<Record<Recipient, Surface>> = {
  owner: 'storefront',
  main: 'storefront',
  assignee: 'admin',
  seller: 'admin',
}

/** Who reads a section of a message, and whom it names. */
interface Reading {
  readonly recipient: Recipient
  readonly owner: Person | undefined
  /** Who did it. */
  readonly doer: Person | undefined
  readonly baseUrl: string
}

/** What a recipient reads about a notice. */
const sectionOf = (notice: Notice, { recipient, owner, doer, baseUrl }: Reading): Section => {
  const { what, advice, showsExpiry = false }: Wording = wordings[notice.occasion]
  const { quotation, said } = notice
  return {
    lines: [
      `${headOf(quotation)} ${what}.`,
      ...(recipient === 'owner' ? [] : [`${nameOf(owner)} asked for it.`]),
      ...(showsExpiry && quotation.expiresAt !== null ? [`It expires at ${quotation.expiresAt.toISOString()}.`] : []),
      advice,
      ...(said === undefined ? [] : quoted(nameOf(doer), said)),
    ],
    link: `${baseUrl}${pathOf[surfaceOf[recipient]]}/${quotation.id}/`,
  }
}

/** The subject of a message about these notices, of which the first is named. */
const subjectOf = (notice: Notice, others: number): string =>
  `${headOf(notice.quotation)} ${wordings[notice.occasion].what}${others === 0 ? '' : ` (and ${others} more)`}`

const headOf = ({ number, name }: Quotation): string => `Quotation ${number} “${name}”`

const nameOf = (person: Person | undefined): string =>
  person === undefined ? 'Somebody' : `${person.firstName} ${person.lastName}`.trim() || person.email

/** Marked line by line, so that nothing in it looks like ours. */
const quoted = (name: string, text: string): string[] => [
  `${name} wrote:`,
  ...text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => `> ${line}`),
]
