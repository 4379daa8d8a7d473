import type { Section } from '#platform/mail/letter.ts'
import type { Person } from '../dependencies.ts'
import { pathOf } from '../rules/vocabulary.ts'
import type { Quotation } from '../quotation.ts'
import type { Surface } from '../rules/vocabulary.ts'
import type { Turn } from './turn.ts'
import { wordings, type Audience, type Wording } from './wordings.ts'

/** Where each looks at quotations. */
const surfaceOf: Readonly<Record<Audience, Surface>> = {
  owner: 'storefront',
  main: 'storefront',
  assignee: 'admin',
  seller: 'admin',
}

/** What a message about a turn is made of besides it. */
export interface Told {
  readonly audience: Audience
  readonly owner: Person | undefined
  /** Who did it. */
  readonly doer: Person | undefined
  readonly baseUrl: string
}

/** What somebody is told of a turn. */
export const turnSection = (turn: Turn, { audience, owner, doer, baseUrl }: Told): Section => {
  const { what, advice, standInAdvice = advice, showsExpiry = false, tells }: Wording = wordings[turn.occasion]
  const standsIn = audience === 'main' && !tells.includes('main')
  const { quotation, said } = turn
  return {
    lines: [
      `${headOf(quotation)} ${what}.`,
      ...(audience === 'owner' ? [] : [`${nameOf(owner)} asked for it.`]),
      ...(showsExpiry && quotation.expiresAt !== null ? [`It expires at ${quotation.expiresAt.toISOString()}.`] : []),
      standsIn ? standInAdvice : advice,
      ...(said === undefined ? [] : quoted(nameOf(doer), said)),
    ],
    link: `${baseUrl}${pathOf[surfaceOf[audience]]}/${quotation.id}/`,
  }
}

/** The subject of a message about these turns, of which the first is named. */
export const turnSubject = (turn: Turn, others: number): string =>
  `${headOf(turn.quotation)} ${wordings[turn.occasion].what}${others === 0 ? '' : ` (and ${others} more)`}`

const headOf = ({ number, name }: Quotation): string => `Quotation ${number} “${name}”`

const nameOf = (person: Person | undefined): string =>
  person === undefined ? 'Somebody' : `${person.firstName} ${person.lastName}`.trim() || person.email

/** Marked line by line, so that nothing in it looks like ours. */
const quoted = (name: string, text: string): string[] => [
  `${name} wrote:`,
  ...text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => `> ${line}`),
]
