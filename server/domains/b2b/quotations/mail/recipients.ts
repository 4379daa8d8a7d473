import type { Db, Tx } from '#platform/db/database.ts'
import type { Person } from '../dependencies.ts'
import type { Notice } from './notice.ts'
import { wordings, type Recipient, type Wording } from './wordings.ts'

/** People who can get notices: filled in by what knows people. */
export interface NotifiedPeople {
  /** These people; those who do not exist are left out. */
  readonly findAll: (db: Db | Tx, ids: readonly number[]) => Promise<readonly Person[]>
  /** Superusers who may log in, at most `limit`. */
  readonly superusers: (tx: Tx, limit: number) => Promise<readonly Person[]>
  /** Those who order for a division and may log in, at most `limit`. */
  readonly ofDivision: (tx: Tx, divisionId: number, limit: number) => Promise<readonly Person[]>
  /** Whether a division is the main one given, or below it. */
  readonly isOfTree: (tx: Tx, divisionId: number | null, root: number) => Promise<boolean>
}

/** People whom notices are about, or who get them. */
export interface Known {
  readonly byId: ReadonlyMap<number, Person>
  readonly superusers: readonly Person[]
  /** By main division. */
  readonly ofDivision: ReadonlyMap<number, readonly Person[]>
  /** Notices whose owner is not there any more: may not log in, or orders for another company. */
  readonly orphaned: ReadonlySet<Notice>
}

/** Most recipients of a notice that goes to many. */
const maxSuperusers = 20
const maxOfDivision = 100

/** Looks up everybody whom notices need, with a number of queries that grows only with divisions. */
export const findKnown = async (tx: Tx, people: NotifiedPeople, notices: readonly Notice[]): Promise<Known> => {
  const ids = notices.flatMap(({ quotation: { userId, assignee }, doer }) => [userId, assignee, doer])
  const found = await people.findAll(tx, [...new Set(ids.filter((id) => id !== null))])
  const byId = new Map(found.map((person) => [person.id, person]))
  const orphaned = await findOrphaned(tx, people, notices, byId)
  const ofDivision = new Map<number, readonly Person[]>()
  for (const root of mainDivisionsOf(notices, orphaned)) {
    ofDivision.set(root, await people.ofDivision(tx, root, maxOfDivision))
  }
  return {
    byId,
    orphaned,
    superusers: notices.some((notice) => isFor(notice, 'seller')) ? await people.superusers(tx, maxSuperusers) : [],
    ofDivision,
  }
}

const findOrphaned = async (
  tx: Tx,
  { isOfTree }: Pick<NotifiedPeople, 'isOfTree'>,
  notices: readonly Notice[],
  byId: Known['byId'],
): Promise<Set<Notice>> => {
  const known = new Map<string, boolean>()
  const isOf = async (divisionId: number | null, root: number): Promise<boolean> => {
    const key = `${divisionId}/${root}`
    const answer = known.get(key) ?? (await isOfTree(tx, divisionId, root))
    known.set(key, answer)
    return answer
  }
  const orphaned = new Set<Notice>()
  for (const notice of notices) {
    const { userId, divisionId, rootDivisionId } = notice.quotation
    const owner = byId.get(userId)
    const isThere =
      owner?.isActive === true && (owner.division === divisionId || (await isOf(owner.division, rootDivisionId)))
    if (!isThere) orphaned.add(notice)
  }
  return orphaned
}

const isFor = ({ occasion }: Notice, recipient: Recipient): boolean =>
  (wordings[occasion].recipients as readonly Recipient[]).includes(recipient)

const mainDivisionsOf = (notices: readonly Notice[], orphaned: Known['orphaned']): Set<number> =>
  new Set(
    notices
      .filter((notice) => isFor(notice, 'main') || (isFor(notice, 'owner') && orphaned.has(notice)))
      .map(({ quotation }) => quotation.rootDivisionId),
  )

/** Who is told of a notice, once each, and as what. Nobody who may not log in any more, or who did it themselves. */
export const recipientsOf = (notice: Notice, known: Known): ReadonlyMap<Person, Recipient> => {
  const { recipients, includesDoer = false }: Wording = wordings[notice.occasion]
  const told = new Map<number, readonly [Person, Recipient]>()
  for (const recipient of recipients) {
    const standsIn = recipient === 'owner' && known.orphaned.has(notice)
    for (const person of members[recipient](notice, known)) {
      const isLeftOut = !person.isActive || (person.id === notice.doer && !includesDoer)
      if (!isLeftOut && !told.has(person.id)) told.set(person.id, [person, standsIn ? 'main' : recipient])
    }
  }
  return new Map(told.values())
}

const members: Readonly<Record<Recipient, (notice: Notice, known: Known) => readonly Person[]>> = {
  // What an owner who is gone would have done falls to those who decide for the company.
  owner: (notice, { byId, ofDivision, orphaned }) =>
    orphaned.has(notice)
      ? (ofDivision.get(notice.quotation.rootDivisionId) ?? [])
      : oneOf(byId.get(notice.quotation.userId)),
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
