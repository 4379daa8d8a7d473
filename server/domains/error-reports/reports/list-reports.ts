import { contentTypeId } from '#events/content-types.ts'
import { dayMs } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { boundedCount, offsetOf, refuseFarPage, type Rows } from '#platform/lists/page.ts'
import { readTimeRanges, type TimeRange } from '#platform/lists/time-range.ts'
import { countedBuckets, countOnDays, type BucketFilters, type CountedBucket } from './bucket-store.ts'
import {
  countRows,
  firstIdSince,
  hasTarget,
  inSnapshot,
  listAll,
  pageOfIds,
  readReports,
  reportList,
  rowConditions,
  type Part,
  type ReportQuery,
} from './list-store.ts'
import type { Report } from './report.ts'

/** What a query asks of buckets. The name of a kind of object that there is not fits nothing. @param kind of the action. */
const bucketFiltersOf = (query: ReportQuery, kind?: string): BucketFilters => ({
  channelId: query.channel,
  catalog: query.catalog,
  actionContentTypes: [...named(kind), ...named(query.action_content_type), ...given(query.action_content_type_id)],
  targetContentTypes: [...named(query.target_content_type), ...given(query.target_content_type_id)],
  isOk: query.is_ok,
})

/** No kind of object has this id. */
const noContentType = 0
const named = (name: string | undefined): number[] =>
  name === undefined ? [] : [contentTypeId(name.toLowerCase()) ?? noContentType]
const given = (id: number | undefined): number[] => (id === undefined ? [] : [id])

const hasNone = ({ actionContentTypes, targetContentTypes, ...others }: BucketFilters): boolean =>
  actionContentTypes.length + targetContentTypes.length === 0 &&
  Object.values(others).every((value) => value === undefined)

/**
 * One page of the reports that fit, and how many fit. Whatever is filtered by what buckets have in common is answered from their
 * counts; the rest is counted in an index, each report looked at at most once. All of it is of one moment, so that the rows
 * agree with their count. What is searched for by words is counted, and has pages, up to 10,000.
 * @param kind of action that the list is of; all when undefined. @throws AppError 400 that names a filter, or a page too far behind.
 */
export const listReports = (db: Db, query: ReportQuery, kind?: string): Promise<Rows<Report>> => {
  const isBounded = rowConditions(query)['q'] !== undefined
  if (isBounded) refuseFarPage(query)
  if (kind === undefined && isUnfiltered(query)) return listAll(db, query)
  return inSnapshot(db, async (tx) => {
    const { parts, count } = await countedParts(tx, query, { kind })
    const window = { ...reportList.order(query), offset: offsetOf(query), limit: query.limit }
    const ids = await pageOfIds(tx, parts, window)
    return { rows: await readReports(tx, ids), ...(isBounded ? boundedCount(count) : { count }) }
  })
}

/**
 * The parts of what fits, without those that have nothing, and how many fit: infinitely many words where the count stopped.
 * @param options.also what reports have to be besides. @throws AppError 400 that names a filter.
 */
export const countedParts = async (
  db: Db,
  query: ReportQuery,
  { kind, also = {} }: { readonly kind?: string | undefined; readonly also?: Part['conditions'] } = {},
): Promise<{ readonly parts: readonly Part[]; readonly count: number }> => {
  const created = readTimeRanges({ ...query }, 'created_date')
  const filters = bucketFiltersOf(query, kind)
  const range = await idRange(db, created)
  const buckets = range === undefined ? [] : await countedBuckets(db, filters, query.group)
  const rest = {
    ...noRange,
    ...range,
    conditions: { ...rowConditions(query), ...also },
    isEveryBucket: hasNone(filters),
  }
  const parts: Part[] = []
  for (const part of partsOf(buckets, query.target_object_id, rest)) {
    const counted = { ...part, count: await countOf(db, part, created) }
    if (counted.count > 0) parts.push(counted)
  }
  return { parts, count: parts.reduce((sum, part) => sum + (part.count ?? 0), 0) }
}

const ofPage = new Set(['page', 'limit', 'ordering'])
const isUnfiltered = (query: ReportQuery): boolean =>
  Object.entries(query).every(([name, value]) => ofPage.has(name) || value === undefined)

type Range = Pick<Part, 'from' | 'before'>
const noRange: Range = { from: undefined, before: undefined }

/** An interval of time as one of ids: times never go back while ids go up. Undefined when nothing is in it. */
const idRange = async (db: Db, { from, before }: TimeRange): Promise<Range | undefined> => {
  const first = from && (await firstIdSince(db, from))
  const end = before && (await firstIdSince(db, before))
  return from !== undefined && first === undefined ? undefined : { from: first, before: end }
}

/** Reports whose target is their channel are found by buckets, because there can be very many of one target. */
const partsOf = (
  buckets: readonly CountedBucket[],
  target: number | undefined,
  rest: Omit<Part, 'buckets'>,
): Part[] => {
  const part: Part = { ...rest, buckets }
  if (target === undefined) return [part]
  const isOfTarget = ({ targetsChannel, channelId }: CountedBucket): boolean => targetsChannel && channelId === target
  return [
    { ...part, buckets: buckets.filter(isOfTarget), isEveryBucket: false },
    {
      ...part,
      buckets: buckets.filter(({ targetsChannel }) => !targetsChannel),
      isEveryBucket: false,
      conditions: { ...part.conditions, target: hasTarget(target) },
    },
  ]
}

const countOf = async (db: Db, part: Part, created: TimeRange): Promise<number> => {
  if (part.buckets.length === 0) return 0
  const { group, ...others } = part.conditions
  const isOfTime = created.from !== undefined || created.before !== undefined
  if (Object.keys(others).length > 0 || (group !== undefined && isOfTime)) return countRows(db, part)
  return isOfTime ? countInTime(db, part, created) : part.buckets.reduce((sum, { count }) => sum + count, 0)
}

/** Whole days from their counts, what is left before and after them in the index. */
const countInTime = async (db: Db, part: Part, { from, before }: TimeRange): Promise<number> => {
  const first = from && (await dayOf(db, Math.ceil(from.getTime() / dayMs)))
  const end = before && (await dayOf(db, Math.floor(before.getTime() / dayMs)))
  if (hasNoDay(first, end)) return countRows(db, part)
  const ids = part.isEveryBucket ? undefined : part.buckets.map(({ id }) => id)
  const onDays = await countOnDays(db, { from: first?.day ?? '-infinity', before: end?.day ?? 'infinity' }, ids)
  return (
    onDays +
    (await countFrom(db, first, (id) => ({ ...part, before: id }))) +
    (await countFrom(db, end, (id) => ({ ...part, from: id })))
  )
}

/** What is on one side of the beginning of a day; nothing when there is none, or no report since. */
const countFrom = async (db: Db, day: Day | undefined, sideOf: (id: number) => Part): Promise<number> =>
  day?.id === undefined ? 0 : countRows(db, sideOf(day.id))

/** No whole day is between them, or nothing was created on the first one or later. */
const hasNoDay = (first: Day | undefined, end: Day | undefined): boolean =>
  first !== undefined && (first.id === undefined || (end !== undefined && first.day >= end.day))

interface Day {
  readonly day: string
  /** The first report that was created on it or later. */
  readonly id: number | undefined
}

const dayOf = async (db: Db, days: number): Promise<Day> => {
  const start = new Date(days * dayMs)
  return { day: start.toISOString().slice(0, 10), id: await firstIdSince(db, start) }
}
