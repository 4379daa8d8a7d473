import { CompiledQuery, sql, type RawBuilder } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { prepared } from '#platform/db/prepared.ts'
import type { CountedCell } from './cell-store.ts'
import type { Report } from './report.ts'
import { shortened, shownInLists } from './raw-texts.ts'
import { reportColumns } from './store.ts'

/** Reports that a list has: of these cells, and with all that is not undefined. */
export interface Part {
  readonly cells: readonly CountedCell[]
  /** The cells are all that there are, so no report has to be looked at for its cell. */
  readonly isEveryCell: boolean
  readonly groupId: number | undefined
  readonly actionObjectIds: readonly number[] | undefined
  /** Of reports whose target is not their channel. */
  readonly targetObjectId: string | undefined
  readonly errorCode: string | undefined
  /** All of them are among the words of a report. */
  readonly words: readonly string[] | undefined
  /** Ids from one (inclusive) to another (not). */
  readonly from: number | undefined
  readonly before: number | undefined
  /** How many there are, once it is known. */
  readonly count?: number
}

/** Runs `work` on one state of the database, whatever others commit meanwhile. It must not write. */
export const inSnapshot = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)

/** The first report created at a time or later. */
export const firstIdSince = async (db: Db, time: Date): Promise<number | undefined> => {
  const row = await db
    .selectFrom('errorReports')
    .select('id')
    .where('createdAt', '>=', time)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

export const countRows = async (db: Db, part: Part): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from error_reports where ${all(conditionsOf(part))}`.execute(db)
  return rows[0]?.count ?? 0
}

export interface Window {
  readonly field: 'id' | 'updatedAt'
  readonly direction: 'asc' | 'desc'
  readonly offset: number
  readonly limit: number
}

/** The ids of a window of some parts, each with its count, in order. */
export const pageOfIds = async (db: Db, parts: readonly Part[], window: Window): Promise<number[]> => {
  const take = window.offset + window.limit
  const selects = parts.map((part) => sql`(${firstIds(part, take, window)})`)
  const { rows } = await sql<{ id: number }>`
    select id from (${sql.join(selects, sql` union all `)}) as found
    order by ${orderBy(window)} offset ${window.offset} limit ${window.limit}`.execute(db)
  return rows.map(({ id }) => id)
}

const orderBy = ({ field, direction }: Pick<Window, 'field' | 'direction'>) => {
  const way = sql.raw(direction)
  return field === 'id' ? sql`id ${way}` : sql`updated_at ${way}, id ${way}`
}

/** Fewer than these are rather sorted than met by chance while walking in order. */
const fewRows = 5_000
/** What it costs to begin with one more cell, in rows of an index. */
const startOfCell = 20
/** Rows of an index that are read within a few milliseconds. */
const quick = 30_000

const firstIds = (part: Part, take: number, { field, direction }: Window) => {
  const { count = 0 } = part
  if (field === 'id' && isByCells(part, take)) return byCells(part, take, direction)
  const what = field === 'id' ? sql`id` : sql`id, updated_at`
  // An expression is no column of an index: the rows are found by what they are filtered by, and sorted.
  const order =
    field === 'id' && count <= fewRows && !isPlain(part)
      ? sql`id + 0 ${sql.raw(direction)}`
      : orderBy({ field, direction })
  return sql`select ${what} from error_reports where ${all(conditionsOf(part))} order by ${order} limit ${take}`
}

/** Nothing but cells and an interval: all is in the index of cells. */
const isPlain = ({ groupId, actionObjectIds, targetObjectId, errorCode, words }: Part): boolean =>
  (groupId ?? actionObjectIds ?? targetObjectId ?? errorCode ?? words) === undefined

/**
 * Whether the first of each cell are merged, instead of passing over the reports of other cells. That never reads more
 * than what fits; passing over is quicker when most reports fit and their cells are many, or the page is far away.
 */
const isByCells = (part: Part, take: number): boolean => {
  const { cells, isEveryCell, count = 0 } = part
  if (isEveryCell || !isPlain(part)) return false
  const byCell = cells.reduce((sum, cell) => sum + Math.min(cell.count, take) + startOfCell, 0)
  const total = cells[0]?.total ?? 0
  return byCell <= quick || byCell <= (take * total) / Math.max(1, count)
}

const byCells = (part: Part, take: number, direction: Window['direction']) => {
  const way = sql.raw(direction)
  const ids = part.cells.map(({ id }) => id)
  return sql`select first.id from unnest(${ids}::integer[]) as cell(id) cross join lateral (
      select report.id from error_reports report
      where report.cell_id = cell.id and ${all(rangeOf(part, sql`report.id`))} order by report.id ${way} limit ${take}
    ) as first order by first.id ${way} limit ${take}`
}

const all = (conditions: readonly RawBuilder<boolean>[]) =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)

const rangeOf = ({ from, before }: Part, id: RawBuilder<unknown>): RawBuilder<boolean>[] => [
  ...(from === undefined ? [] : [sql<boolean>`${id} >= ${from}`]),
  ...(before === undefined ? [] : [sql<boolean>`${id} < ${before}`]),
]

const conditionsOf = (part: Part): RawBuilder<boolean>[] => {
  const { cells, isEveryCell, groupId, actionObjectIds, targetObjectId, errorCode, words } = part
  return [
    ...(isEveryCell ? [] : [sql<boolean>`cell_id = any(${cells.map(({ id }) => id)}::integer[])`]),
    ...(groupId === undefined ? [] : [sql<boolean>`group_id = ${groupId}`]),
    ...(actionObjectIds === undefined ? [] : [sql<boolean>`action_object_id = any(${actionObjectIds}::bigint[])`]),
    ...(targetObjectId === undefined
      ? []
      : [sql<boolean>`not targets_channel and target_object_id = ${targetObjectId}`]),
    ...(errorCode === undefined ? [] : [sql<boolean>`error_code = ${errorCode}`]),
    ...(words === undefined ? [] : [sql<boolean>`words @> ${words}::text[]`]),
    ...rangeOf(part, sql`id`),
  ]
}

const texts = ['errorDesc', 'rawRequest', 'rawResponse'] as const
type Text = (typeof texts)[number]
/** How many bytes a text has behind what was read of it. */
type Missing = { readonly [name in Text as `${name}Missing`]: number | null }

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Of a long text the rest is not even read. The length of any text is known without reading it. */
const startOf = (name: Text): string => {
  const column = snakeCase(name)
  const isShort = `octet_length(${column}) <= ${shownInLists}`
  const start = `left(${column}, ${shownInLists})`
  return `case when ${isShort} then ${column} else ${start} end as "${name}",
    case when ${isShort} then 0 else octet_length(${column}) - octet_length(${start}) end as "${name}Missing"`
}
const isText = (name: (typeof reportColumns)[number]): name is Text => (texts as readonly string[]).includes(name)

const readStatement = prepared(`
  select ${reportColumns.map((name) => (isText(name) ? startOf(name) : `${snakeCase(name)} as "${name}"`)).join(', ')}
  from error_reports where id = any($1::bigint[])`)

/** Reports by id, in the order of the ids, their texts shortened. One that is gone by now is left out. */
export const readReports = async (db: Db, ids: readonly number[]): Promise<Report[]> => {
  const { rows } = await db.executeQuery<Report & Missing>(CompiledQuery.raw(readStatement, [ids]))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row === undefined ? [] : [shortenedReport(row)]
  })
}

/** Most have no long text: their rows are not copied. */
const shortenedReport = (row: Report & Missing): Report =>
  texts.some((name) => (row[`${name}Missing`] ?? 0) > 0)
    ? {
        ...row,
        errorDesc: shortened(row.errorDesc, row.errorDescMissing) ?? '',
        rawRequest: shortened(row.rawRequest, row.rawRequestMissing),
        rawResponse: shortened(row.rawResponse, row.rawResponseMissing),
      }
    : row
