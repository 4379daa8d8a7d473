import { writeLetter, type Fact, type Section } from '#platform/mail/letter.ts'
import type { Mail } from '#platform/mail/mailer.ts'
import { timeText, type Reader } from '#platform/mail/reader.ts'
import type { Person } from '../dependencies.ts'
import type { Notice } from './notice.ts'
import { occasions, type OccasionRules, type Recipient } from './occasions.ts'
import type { QuotationWords } from './quotation-words.ts'
import { words } from './words.ts'

/** A notice as one person gets it. */
export interface Told {
  readonly notice: Notice
  /** What they are to the quotation. */
  readonly recipient: Recipient
  readonly owner: Person | undefined
  /** Who did it. */
  readonly doer: Person | undefined
  /** The page of the quotation. */
  readonly link: string
}

/** The message about these notices, of which the first is named in the subject. */
export const quotationLetter = (
  reader: Reader,
  [first, ...others]: readonly [Told, ...Told[]],
): Pick<Mail, 'subject' | 'text' | 'html'> => {
  const said = words[reader.locale]
  const more = others.length === 0 ? '' : said.more(others.length)
  const sections = [first, ...others].map((told) => sectionOf(told, said, reader))
  return {
    subject: headingOf(first, said) + more,
    ...writeLetter({ locale: reader.locale, sections, why: said.why }),
  }
}

const headingOf = ({ notice: { occasion, quotation } }: Told, said: QuotationWords): string =>
  said.heading(said.quotation(quotation.number, quotation.name), said.occasions[occasion].what)

const sectionOf = (told: Told, said: QuotationWords, reader: Reader): Section => {
  const { notice, doer, link } = told
  const by = said.wrote(nameOf(doer, said))
  return {
    heading: headingOf(told, said),
    paragraphs: [said.occasions[notice.occasion].advice],
    facts: factsOf(told, said, reader),
    ...(notice.said === undefined ? {} : { quote: { by, text: notice.said } }),
    link,
    button: said.open,
  }
}

const factsOf = ({ notice, recipient, owner }: Told, said: QuotationWords, reader: Reader): Fact[] => {
  const { showsExpiry = false }: OccasionRules = occasions[notice.occasion]
  const { expiresAt } = notice.quotation
  return [
    ...(recipient === 'owner' ? [] : [[said.askedBy, nameOf(owner, said)] as const]),
    ...(showsExpiry && expiresAt !== null ? [[said.expires, timeText(expiresAt, reader)] as const] : []),
  ]
}

const nameOf = (person: Person | undefined, { somebody }: QuotationWords): string =>
  person === undefined ? somebody : `${person.firstName} ${person.lastName}`.trim() || person.email
