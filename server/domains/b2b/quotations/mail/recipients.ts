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
  /** Whether a division is the main one given, or below it. */
  readonly isOfTree: (tx: Tx, divisionId: number | null, root: number) => Promise<boolean>
}

/** People whom turns are about, or who are told of them. */
export interface Known {
  readonly byId: ReadonlyMap<number, Person>
  readonly superusers: readonly Person[]
  /** By main division. */
  readonly ofDivision: ReadonlyMap<number, readonly Person[]>
  /** Turns whose owner is not there any more: may not log in, or orders for another company. */
  readonly orphaned: ReadonlySet<Turn>
}

/** Most who are told as one of many. */
const maxSuperusers = 20
const maxOfDivision = 100

/** Looks up everybody whom turns need, with a number of queries that grows only with divisions. */
export const findKnown = async (tx: Tx, people: TurnPeople, turns: readonly Turn[]): Promise<Known> => {
  const ids = turns.flatMap(({ quotation: { userId, assignee }, doer }) => [userId, assignee, doer])
  const found = await people.findAll(tx, [...new Set(ids.filter((id) => id !== null))])
  const byId = new Map(found.map((person) => [person.id, person]))
  const orphaned = await findOrphaned(tx, people, turns, byId)
  const ofDivision = new Map<number, readonly Person[]>()
  for (const root of mainDivisionsOf(turns, orphaned)) {
    ofDivision.set(root, await people.ofDivision(tx, root, maxOfDivision))
  }
  return {
    byId,
    orphaned,
    superusers: turns.some((turn) => tells(turn, 'seller')) ? await people.superusers(tx, maxSuperusers) : [],
    ofDivision,
  }
}

const findOrphaned = async (
  tx: Tx,
  { isOfTree }: Pick<TurnPeople, 'isOfTree'>,
  turns: readonly Turn[],
  byId: Known['byId'],
): Promise<Set<Turn>> => {
  const known = new Map<string, boolean>()
  const isOf = async (divisionId: number | null, root: number): Promise<boolean> => {
    const key = `${divisionId}/${root}`
    const answer = known.get(key) ?? (await isOfTree(tx, divisionId, root))
    known.set(key, answer)
    return answer
  }
  const orphaned = new Set<Turn>()
  for (const turn of turns) {
    const { userId, divisionId, rootDivisionId } = turn.quotation
    const owner = byId.get(userId)
    const isThere =
      owner?.isActive === true && (owner.division === divisionId || (await isOf(owner.division, rootDivisionId)))
    if (!isThere) orphaned.add(turn)
  }
  return orphaned
}

const tells = ({ occasion }: Turn, audience: Audience): boolean =>
  (wordings[occasion].tells as readonly Audience[]).includes(audience)

const mainDivisionsOf = (turns: readonly Turn[], orphaned: Known['orphaned']): Set<number> =>
  new Set(
    turns
      .filter((turn) => tells(turn, 'main') || (tells(turn, 'owner') && orphaned.has(turn)))
      .map(({ quotation }) => quotation.rootDivisionId),
  )

/** Who is told of a turn, once each, and as what. Nobody who may not log in any more, or who did it themselves. */
export const recipientsOf = (turn: Turn, known: Known): ReadonlyMap<Person, Audience> => {
  const { tells: audiences, tellsDoer = false }: Wording = wordings[turn.occasion]
  const told = new Map<number, readonly [Person, Audience]>()
  for (const audience of audiences) {
    const standsIn = audience === 'owner' && known.orphaned.has(turn)
    for (const person of members[audience](turn, known)) {
      const isLeftOut = !person.isActive || (person.id === turn.doer && !tellsDoer)
      if (!isLeftOut && !told.has(person.id)) told.set(person.id, [person, standsIn ? 'main' : audience])
    }
  }
  return new Map(told.values())
}

const members: Readonly<Record<Audience, (turn: Turn, known: Known) => readonly Person[]>> = {
  // What an owner who is gone would have done falls to those who decide for the company.
  owner: (turn, { byId, ofDivision, orphaned }) =>
    orphaned.has(turn) ? (ofDivision.get(turn.quotation.rootDivisionId) ?? []) : oneOf(byId.get(turn.quotation.userId)),
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
