import { letter, type Section } from '#platform/mail/letter.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { Person, TellTurns } from '../dependencies.ts'
import { findKnown, recipientsOf, type Known, type TurnPeople } from './recipients.ts'
import { turnSection, turnSubject } from './turn-mail.ts'
import type { Turn } from './turn.ts'

export interface TurnDeps {
  readonly mailer: Mailer
  readonly people: TurnPeople
  readonly baseUrl: () => string
}

/**
 * Tells by e-mail whose turn it is: one message for each person, however many quotations it is about. The messages are stored
 * with `tx`: what is undone tells nobody, and what is done is told whatever dies. Does nothing where e-mail is not set up.
 */
export const makeTellTurns =
  ({ mailer, people, baseUrl }: TurnDeps): TellTurns =>
  async (tx, turns) => {
    if (!mailer.isConfigured || turns.length === 0) return
    const known = await findKnown(tx, people, turns)
    for (const { person, told } of shares(turns, known, baseUrl())) {
      const [first] = told
      if (first === undefined) continue
      const subject = turnSubject(first.turn, told.length - 1)
      await mailer.send(tx, { to: person.email, subject, ...letter(told.map(({ section }) => section)) })
    }
  }

/** What one person is told. */
interface Share {
  readonly person: Person
  readonly told: { readonly turn: Turn; readonly section: Section }[]
}

const shares = (turns: readonly Turn[], known: Known, baseUrl: string): Iterable<Share> => {
  const byPerson = new Map<number, Share>()
  for (const turn of turns) {
    const owner = known.byId.get(turn.quotation.userId)
    const doer = turn.doer === null ? undefined : known.byId.get(turn.doer)
    for (const [person, audience] of recipientsOf(turn, known)) {
      const share = byPerson.get(person.id) ?? { person, told: [] }
      share.told.push({ turn, section: turnSection(turn, { audience, owner, doer, baseUrl }) })
      byPerson.set(person.id, share)
    }
  }
  return byPerson.values()
}
