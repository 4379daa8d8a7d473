import type { Db, Tx } from '#platform/db/database.ts'
import type { Person } from '../dependencies.ts'
import type { Turn } from './turn.ts'
import { wordings, type Audience, type Wording } from './wordings.ts'

/** Who there is to tell: filled in by who knows people. */
export interface TurnPeople {
  /** These people; those who do not exist are left out. */
  readonly findAll: (db: Db | Tx, ids: readonly number[]) => Promise<readonly Person[]>
  /** Superusers who may log in, `most` of them. */
  readonly superusers: (tx: Tx, most: number) => Promise<readonly Person[]>
  /** Those who order for a division and may log in, `most` of them. */
  readonly ofDivision: (tx: Tx, divisionId: number, most: number) => Promise<readonly Person[]>
}

/** People whom turns are about, or who are told of them. */
export interface Known {
  readonly byId: ReadonlyMap<number, Person>
  readonly superusers: readonly Person[]
  /** By main division. */
  readonly ofDivision: ReadonlyMap<number, readonly Person[]>
}

/** Most who are told as one of many. */
const mostSuperusers = 20
const mostOfDivision = 100

/** Looks up everybody whom turns need, with a number of queries that grows only with main divisions. */
export const findKnown = async (tx: Tx, people: TurnPeople, turns: readonly Turn[]): Promise<Known> => {
  const ids = turns.flatMap(({ quotation: { userId, assignee }, doer }) => [userId, assignee, doer])
  const found = await people.findAll(tx, [...new Set(ids.filter((id) => id !== null))])
  const ofDivision = new Map<number, readonly Person[]>()
  for (const root of mainDivisionsOf(turns)) ofDivision.set(root, await people.ofDivision(tx, root, mostOfDivision))
  return {
    byId: new Map(found.map((person) => [person.id, person])),
    superusers: turns.some((turn) => tells(turn, 'seller')) ? await people.superusers(tx, mostSuperusers) : [],
    ofDivision,
  }
}

const tells = ({ occasion }: Turn, audience: Audience): boolean =>
  (wordings[occasion].tells as readonly Audience[]).includes(audience)

const mainDivisionsOf = (turns: readonly Turn[]): Set<number> =>
  new Set(turns.filter((turn) => tells(turn, 'main')).map(({ quotation }) => quotation.rootDivisionId))

/** Who is told of a turn, once each, and as what. Nobody who may not log in any more, or who did it themselves. */
export const recipientsOf = (turn: Turn, known: Known): ReadonlyMap<Person, Audience> => {
  const { tells: audiences, tellsDoer = false }: Wording = wordings[turn.occasion]
  const told = new Map<number, readonly [Person, Audience]>()
  for (const audience of audiences) {
    for (const person of members[audience](turn, known)) {
      const isLeftOut = !person.isActive || (person.id === turn.doer && !tellsDoer)
      if (!isLeftOut && !told.has(person.id)) told.set(person.id, [person, audience])
    }
  }
  return new Map(told.values())
}

const members: Readonly<Record<Audience, (turn: Turn, known: Known) => readonly Person[]>> = {
  owner: ({ quotation }, { byId }) => oneOf(byId.get(quotation.userId)),
  main: ({ quotation: { divisionId, rootDivisionId } }, { ofDivision }) =>
    divisionId === rootDivisionId ? [] : (ofDivision.get(rootDivisionId) ?? []),
  assignee: (turn, known) => assigneeOf(turn, known),
  seller: (turn, known) => {
    const assigned = assigneeOf(turn, known)
    return assigned.length > 0 ? assigned : known.superusers
  },
}

const oneOf = (person: Person | undefined): readonly Person[] => (person === undefined ? [] : [person])

/** Who works on it, unless they have left the back office. */
const assigneeOf = ({ quotation: { assignee } }: Turn, { byId }: Known): readonly Person[] =>
  oneOf(assignee === null ? undefined : byId.get(assignee)).filter(
    ({ isActive, isStaff, isSuperuser }) => isActive && (isStaff || isSuperuser),
  )
