import type { Db } from '#platform/db/database.ts'
import { offsetOf, type Page, type Rows } from '#platform/http/pagination.ts'
import { countedCells, countOnDays, type CountedCell } from './cell-store.ts'
import type { ReportFilters } from './filters.ts'
import { countRows, firstIdSince, inSnapshot, pageOfIds, readReports, type Part } from './list-store.ts'
import type { Report } from './report.ts'

export interface Order {
  readonly field: string
  readonly direction: 'asc' | 'desc'
}

/**
 * One page of the reports that fit, and how many fit. Whatever is filtered by what cells have in common is answered
 * from the counts of cells; the rest is counted in an index, each report looked at at most once. All of it is of one
 * moment, so that the rows agree with their count.
 */
export const listReports = (db: Db, filters: ReportFilters, page: Page, order: Order): Promise<Rows<Report>> =>
  inSnapshot(db, (tx) => list(tx, filters, page, order))

const list = async (db: Db, filters: ReportFilters, page: Page, order: Order): Promise<Rows<Report>> => {
  const cells = await countedCells(db, filters.cells, filters.rows.groupId)
  const range = await idRange(db, filters.rows)
  const parts = range === undefined ? [] : partsOf(filters, cells, range)
  const counted: Part[] = []
  for (const part of parts) counted.push({ ...part, count: await countOf(db, part, filters.rows) })
  const count = counted.reduce((sum, part) => sum + (part.count ?? 0), 0)
  const offset = offsetOf(page)
  if (offset >= count) return { rows: [], count }
  const window = { offset, limit: Math.min(page.limit, count - offset) }
  const ids = await idsOf({ db, parts: counted.filter((part) => part.count !== 0), count, order }, window)
  return { rows: await readReports(db, ids), count }
}

/** Ids from one (inclusive) to another (not). */
interface IdRange {
  readonly from: number | undefined
  readonly before: number | undefined
}

/** An interval of time as one of ids: times never go back while ids go up. Undefined when nothing is in it. */
const idRange = async (db: Db, { createdFrom, createdBefore }: ReportFilters['rows']): Promise<IdRange | undefined> => {
  const from = createdFrom && (await firstIdSince(db, createdFrom))
  const before = createdBefore && (await firstIdSince(db, createdBefore))
  return createdFrom !== undefined && from === undefined ? undefined : { from, before }
}

/** Reports whose target is their channel are found by cells, because there can be very many of one target. */
const partsOf = ({ cells: wanted, rows }: ReportFilters, cells: readonly CountedCell[], range: IdRange): Part[] => {
  const { groupId, actionObjectIds, targetObjectId, errorCode, words } = rows
  const rest = { groupId, actionObjectIds, errorCode, words, ...range }
  const part = { ...rest, targetObjectId: undefined, cells, isEveryCell: hasNone(wanted) }
  const parts =
    targetObjectId === undefined
      ? [part]
      : [
          {
            ...part,
            cells: cells.filter((cell) => cell.targetsChannel && String(cell.channelId) === targetObjectId),
            isEveryCell: false,
          },
          { ...part, cells: cells.filter(({ targetsChannel }) => !targetsChannel), targetObjectId },
        ]
  return parts.filter((one) => one.cells.length > 0)
}

const hasNone = ({ actionContentTypes, targetContentTypes, ...others }: ReportFilters['cells']): boolean =>
  actionContentTypes.length + targetContentTypes.length === 0 &&
  Object.values(others).every((value) => value === undefined)

const countOf = async (db: Db, part: Part, { createdFrom, createdBefore }: ReportFilters['rows']): Promise<number> => {
  const { actionObjectIds, targetObjectId, errorCode, words, groupId } = part
  if (actionObjectIds ?? targetObjectId ?? errorCode ?? words) return countRows(db, part)
  if (createdFrom === undefined && createdBefore === undefined) return sumOf(part)
  return groupId === undefined ? countInTime(db, part, createdFrom, createdBefore) : countRows(db, part)
}

const sumOf = ({ cells }: Part): number => cells.reduce((sum, { count }) => sum + count, 0)

const dayMs = 86_400_000

/** Whole days from their counts, what is left before and after them in the index. */
const countInTime = async (db: Db, part: Part, from: Date | undefined, before: Date | undefined): Promise<number> => {
  const first = from && (await dayOf(db, Math.ceil(from.getTime() / dayMs)))
  const end = before && (await dayOf(db, Math.floor(before.getTime() / dayMs)))
  if (hasNoDay(first, end)) return countRows(db, part)
  const ids = part.isEveryCell ? undefined : part.cells.map(({ id }) => id)
  const days = { from: first?.day ?? '-infinity', before: end?.day ?? 'infinity' }
  const onDays = await countOnDays(db, days, ids)
  const earlier = await countFrom(db, first, ({ id }) => ({ ...part, before: id }))
  const later = await countFrom(db, end, ({ id }) => ({ ...part, from: id }))
  return onDays + earlier + later
}

/** What is on one side of the beginning of a day; nothing when there is none, or no report since. */
const countFrom = async (db: Db, day: Day | undefined, sideOf: (day: Day) => Part): Promise<number> =>
  day?.id === undefined ? 0 : countRows(db, sideOf(day))

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

interface Listing {
  readonly db: Db
  readonly parts: readonly Part[]
  readonly count: number
  readonly order: Order
}

/** The ids of a page in its order. What is nearer to the other end is walked to from there. */
const idsOf = async (
  { db, parts, count, order }: Listing,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<number[]> => {
  const field = order.field === 'updated_date' ? 'updatedAt' : 'id'
  if (offset + limit <= count / 2) return pageOfIds(db, parts, { ...order, field, offset, limit })
  const direction = order.direction === 'asc' ? 'desc' : 'asc'
  const ids = await pageOfIds(db, parts, { field, direction, offset: count - offset - limit, limit })
  return ids.toReversed()
}
