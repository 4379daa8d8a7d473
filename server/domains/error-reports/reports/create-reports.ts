import { DatabaseUnavailable } from '#platform/db/database-unavailable.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { shareRuns } from '#platform/share-runs.ts'
import { assignGroups, changeOpenCounts } from '../groups/index.ts'
import { mappedPlaces } from '../places/index.ts'
import { findEarlier, holdChannelsAndLock, insertReports, type Earlier } from './creation-store.ts'
import type { NewReport, SentReport } from './new-report.ts'
import type { Report } from './report.ts'
import { findFailedSince, holdSucceeded, resolveRows, type Success } from './store.ts'

/** What became of a report that was sent. */
export type Outcome =
  | { readonly kind: 'created' | 'repeated'; readonly report: Report }
  | { readonly kind: 'no_channel' }

/** How long the same body by the same channel is the same report (contract, section 6). */
const repeatedForMs = 600_000

export type CreateReports = (tx: Tx, sent: readonly SentReport[]) => Promise<Outcome[]>

/**
 * Makes the function that stores reports, any number of them at once, with a number of statements that does not depend
 * on it. What is held, in this order: the channels (against their removal, and against a mapping of one of their
 * places made at this moment), the lock of all changes, older reports that a success resolves, groups.
 */
export const makeCreateReports =
  ({ clock }: Pick<SliceDeps, 'clock'>): CreateReports =>
  async (tx, sent) => {
    const channels = await holdChannelsAndLock(tx, channelIds(sent))
    const ofChannels = sent.filter(({ channelId }) => channelId === null || channels.has(channelId))
    const mapped = await mappedHashes(tx, ofChannels)
    const now = clock.now()
    const bodies = firstOfEach(ofChannels)
    const earlier = await findEarlier(tx, [...bodies.keys()], new Date(now.getTime() - repeatedForMs))
    const repeated = await stillTrue({ tx, bodies, mapped }, earlier)
    const fresh = [...bodies.values()].filter(({ bodyHash }) => !repeated.has(bodyHash))
    const stored = await storeReports({ tx, now: later(now, earlier.lastAt) }, fresh, mapped)

    const isNew = new Set<string>(stored.keys())
    return sent.map(({ bodyHash }) => {
      const report = stored.get(bodyHash) ?? repeated.get(bodyHash)
      if (report === undefined) return { kind: 'no_channel' }
      // The first of those that came together made it.
      return { kind: isNew.delete(bodyHash) ? 'created' : 'repeated', report }
    })
  }

/** More in one transaction would make the first of them wait. */
const maxAtOnce = 250

/** Makes what stores single reports: those that come while others are being stored share the next transaction. */
export const makeCreateReport = (db: Db, createReports: CreateReports) =>
  shareRuns<SentReport, Outcome>({
    run: (sent) => inTransaction(db, (tx) => createReports(tx, sent)),
    maxAtOnce,
    // A database that is not there fails each of them, and whether they were stored is not known.
    isFaultOfOne: (error) => !(error instanceof DatabaseUnavailable),
  })

/** Of those with the same body the one that came first, in the order in which they came. */
const firstOfEach = (sent: readonly SentReport[]): ReadonlyMap<string, SentReport> => {
  const bodies = new Map<string, SentReport>()
  for (const report of sent) if (!bodies.has(report.bodyHash)) bodies.set(report.bodyHash, report)
  return bodies
}

interface Sent {
  readonly tx: Tx
  readonly bodies: ReadonlyMap<string, NewReport>
  /** Bodies of reports of places that are mapped by now. */
  readonly mapped: ReadonlySet<string>
}

/**
 * The reports that say what is said again. A failure that was resolved since, itself or with its group, has happened again,
 * and a success after another failure is another success: neither is a client that tries again because no answer came.
 */
const stillTrue = async (
  { tx, bodies, mapped }: Sent,
  { repeated, resolvedSince }: Pick<Earlier, 'repeated' | 'resolvedSince'>,
): Promise<ReadonlyMap<string, Report>> => {
  const successes = [...repeated].flatMap(([bodyHash, report]) => (bodies.get(bodyHash)?.isOk === true ? [report] : []))
  const failedSince = successes.length === 0 ? new Set<number>() : await findFailedSince(tx, successes)
  const isStill = ([bodyHash, report]: readonly [string, Report]): boolean => {
    const sent = bodies.get(bodyHash)
    if (sent?.actionObjectId !== report.actionObjectId) return false
    if (sent.isOk !== report.isOk) return mapped.has(bodyHash)
    return !failedSince.has(report.id) && !resolvedSince.has(bodyHash)
  }
  return new Map([...repeated].filter(isStill))
}

/** Ids and times go up together, whatever the clock does (0015_error_reports.sql). */
export const later = (now: Date, last: Date | null): Date => (last !== null && last > now ? last : now)

const channelIds = (sent: readonly NewReport[]): number[] => [
  ...new Set(sent.flatMap(({ channelId }) => (channelId === null ? [] : [channelId]))),
]

/** Bodies of reports of places that are mapped by now. */
const mappedHashes = async (tx: Tx, sent: readonly NewReport[]): Promise<ReadonlySet<string>> => {
  const places = sent.flatMap(({ bodyHash, channelId, place }) =>
    place === null || channelId === null ? [] : [{ bodyHash, name: { channelId, ...place } }],
  )
  if (places.length === 0) return new Set()
  const mappings = await mappedPlaces(
    tx,
    places.map(({ name }) => name),
  )
  return new Set(places.flatMap(({ bodyHash }, index) => (mappings[index] === undefined ? [] : [bodyHash])))
}

interface Storing {
  readonly tx: Tx
  readonly now: Date
}

/** Stores reports that are new, in their groups. The caller holds the lock of all changes. @returns them by body. */
export const storeReports = async (
  { tx, now }: Storing,
  fresh: readonly SentReport[],
  mapped: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Report>> => {
  if (fresh.length === 0) return new Map()
  const reports = fresh.map((report) => {
    const isMapped = mapped.has(report.bodyHash)
    return {
      ...report,
      objModifiedDate: report.objModifiedDate ?? now,
      isOk: report.isOk || isMapped,
      resolvedHow: isMapped ? ('mapped' as const) : null,
      createdAt: now,
    }
  })
  const groupIds = await assignGroups(tx, reports)
  const rows = reports.map((report, index) => ({ ...report, groupId: groupIds[index] ?? null }))
  const ids = await insertReports(tx, rows, now)
  const made = rows.map(({ bodyHash, by, place: _place, ...row }, index) => ({
    row: { ...row, id: ids[index] ?? 0 },
    bodyHash,
    by: by ?? null,
  }))
  const resolved = await resolveOlder(
    { tx, now },
    made.map(({ row, by }) => ({ ...row, by })),
  )
  return new Map(
    made.map(({ row, bodyHash }) => [
      bodyHash,
      {
        ...row,
        ...(resolved.has(row.id) ? { isOk: true } : {}),
        ...resolution(row.resolvedHow ?? (resolved.has(row.id) ? 'later_success' : null), now),
        resolvedBy: resolved.get(row.id) ?? null,
        updatedAt: now,
        retryCount: 0,
        lastRetryAt: null,
      },
    ]),
  )
}

const resolution = (how: Report['resolvedHow'], now: Date) => ({
  resolvedHow: how,
  resolvedAt: how === null ? null : now,
})

type Made = Success & Pick<Report, 'isOk' | 'resolvedHow'> & { readonly by: number | null }

/**
 * A success tells that what failed before for the same object is done.
 * @returns what it resolved: by id, whose success that was.
 */
const resolveOlder = async (
  { tx, now }: Storing,
  made: readonly Made[],
): Promise<ReadonlyMap<number, number | null>> => {
  // That a place is mapped says nothing of others.
  const successes = made.filter(({ isOk, resolvedHow }) => isOk && resolvedHow === null)
  if (successes.length === 0) return new Map()
  const older = await holdSucceeded(tx, successes)
  const ofObject = Map.groupBy(successes, objectOf)
  // The first after it; ids of successes go up.
  const whose = new Map(
    older.map((failure) => {
      const first = ofObject.get(objectOf(failure))?.find(({ id }) => id > failure.id)
      return [failure.id, first?.by ?? null]
    }),
  )
  const by = ({ id }: { readonly id: number }) => whose.get(id) ?? null
  await changeOpenCounts(tx, await resolveRows(tx, older, { how: 'later_success', by, at: now }), now)
  return whose
}

const objectOf = ({ channelId, actionContentType, actionObjectId }: Omit<Success, 'id'>): string =>
  `${channelId} ${actionContentType} ${actionObjectId}`
