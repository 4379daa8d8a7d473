import type { Db, Tx } from '#platform/db/database.ts'
import type { Person } from '../dependencies.ts'
import type { Notice } from './notice.ts'
import { occasions, type OccasionRules, type Recipient } from './occasions.ts'

/** People who can get notices: filled in by what knows people. */
export interface NotifiedPeople {
  /** These people; those who do not exist are left out. */
  readonly findAll: (db: Db | Tx, ids: readonly number[]) => Promise<readonly Person[]>
  /** Superusers who may log in, at most `limit`. */
  readonly superusers: (tx: Tx, limit: number) => Promise<readonly Person[]>
  /** Those who order for a division and may log in, at most `limit`. */
  readonly ofDivision: (tx: Tx, divisionId: number, limit: number) => Promise<readonly Person[]>
}

/** People whom notices are about, or who get them. */
export interface Known {
  readonly byId: ReadonlyMap<number, Person>
  readonly superusers: readonly Person[]
  /** By main division. */
  readonly ofDivision: ReadonlyMap<number, readonly Person[]>
}

/** Most recipients of a notice that goes to many. */
const maxSuperusers = 20
const maxOfDivision = 100

/** Looks up everybody whom notices need, with a number of queries that grows only with divisions. */
export const findKnown = async (tx: Tx, people: NotifiedPeople, notices: readonly Notice[]): Promise<Known> => {
  const ids = notices.flatMap(({ quotation: { userId, assignee }, doer }) => [userId, assignee, doer])
  const found = await people.findAll(tx, [...new Set(ids.filter((id) => id !== null))])
  const byId = new Map(found.map((person) => [person.id, person]))
  const roots = notices.filter((notice) => isFor(notice, 'main')).map(({ quotation }) => quotation.rootDivisionId)
  const ofDivision = new Map<number, readonly Person[]>()
  for (const root of new Set(roots)) ofDivision.set(root, await people.ofDivision(tx, root, maxOfDivision))
  return {
    byId,
    superusers: notices.some((notice) => isFor(notice, 'seller')) ? await people.superusers(tx, maxSuperusers) : [],
    ofDivision,
  }
}

const isFor = ({ occasion }: Notice, recipient: Recipient): boolean =>
  (occasions[occasion].recipients as readonly Recipient[]).includes(recipient)

/** Who is told of a notice, once each, and as what. Nobody who may not log in any more, or who did it themselves. */
export const recipientsOf = (notice: Notice, known: Known): ReadonlyMap<Person, Recipient> => {
  const { recipients, includesDoer = false }: OccasionRules = occasions[notice.occasion]
  const told = new Map<number, readonly [Person, Recipient]>()
  for (const recipient of recipients) {
    for (const person of members[recipient](notice, known)) {
      const isLeftOut = !person.isActive || (person.id === notice.doer && !includesDoer)
      if (!isLeftOut && !told.has(person.id)) told.set(person.id, [person, recipient])
    }
  }
  return new Map(told.values())
}

const members: Readonly<Record<Recipient, (notice: Notice, known: Known) => readonly Person[]>> = {
  owner: ({ quotation: { userId } }, { byId }) => oneOf(byId.get(userId)),
  main: ({ quotation: { divisionId, rootDivisionId } }, { ofDivision }) =>
    divisionId === rootDivisionId ? [] : (ofDivision.get(rootDivisionId) ?? []),
  assignee: (notice, known) => assigneeOf(notice, known),
  seller: (notice, known) => {
    const assigned = assigneeOf(notice, known)
    return assigned.length > 0 ? assigned : known.superusers
  },
}

const oneOf = (person: Person | undefined): readonly Person[] => (person === undefined ? [] : [person])

/** Who works on it, unless they have left the back office. */
const assigneeOf = ({ quotation: { assignee } }: Notice, { byId }: Known): readonly Person[] =>
  oneOf(assignee === null ? undefined : byId.get(assignee)).filter(
    ({ isActive, isStaff, isSuperuser }) => isActive && (isStaff || isSuperuser),
  )
