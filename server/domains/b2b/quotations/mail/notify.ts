import type { Mailer } from '#platform/mail/mailer.ts'
import { readerOf } from '#platform/mail/reader.ts'
import type { Person, Notify } from '../dependencies.ts'
import type { Surface } from '../rules/vocabulary.ts'
import type { Notice } from './notice.ts'
import type { Recipient } from './occasions.ts'
import { quotationLetter, type Told } from './quotation-letter.ts'
import { findKnown, recipientsOf, type Known, type NotifiedPeople } from './recipients.ts'

export interface NotifyDeps {
  readonly mailer: Pick<Mailer, 'send'>
  readonly people: NotifiedPeople
  readonly pages: {
    /** The page of a quotation. */
    readonly quotation: (surface: Surface, id: number) => string
  }
}

/** Makes the function that sends notices, one message per person, stored with `tx`. */
export const makeNotify =
  ({ mailer, people, pages }: NotifyDeps): Notify =>
  async (tx, notices) => {
    if (notices.length === 0) return
    const known = await findKnown(tx, people, notices)
    const mails = [...sharesOf(notices, known, pages)].map(({ person, told }) => {
      const reader = readerOf(person)
      const about = { to: person.email, purpose: 'quotation', locale: reader.locale } as const
      return { ...about, ...quotationLetter(reader, told) }
    })
    await mailer.send(tx, mails)
  }

/** The notices for one person. */
interface Share {
  readonly person: Person
  readonly told: [Told, ...Told[]]
}

const sharesOf = (notices: readonly Notice[], known: Known, pages: NotifyDeps['pages']): Iterable<Share> => {
  const byPerson = new Map<number, Share>()
  for (const notice of notices) {
    const owner = known.byId.get(notice.quotation.userId)
    const doer = notice.doer === null ? undefined : known.byId.get(notice.doer)
    for (const [person, recipient] of recipientsOf(notice, known)) {
      const link = pages.quotation(surfaceOf[recipient], notice.quotation.id)
      const told: Told = { notice, recipient, owner, doer, link }
      const share = byPerson.get(person.id)
      if (share === undefined) byPerson.set(person.id, { person, told: [told] })
      else share.told.push(told)
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
