import { CompiledQuery, sql, type RawBuilder } from 'kysely'
import { Type, type Static } from 'typebox'
import type { Db } from '#platform/db/database.ts'
import { prepared } from '#platform/db/prepared.ts'
import { invalidField } from '#platform/errors.ts'
import { Id, IdOf } from '#platform/http/schemas.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { all, custom, equals, time, type Condition } from '#platform/lists/filters.ts'
import { maxCounted, type Rows } from '#platform/lists/page.ts'
import { comparisons } from '#platform/lists/time-range.ts'
import { readList } from '#platform/lists/read-list.ts'
import { totalCount, type CountedBucket } from './bucket-store.ts'
import { shortened, shownInLists } from './raw-texts.ts'
import type { Report } from './report.ts'
import { wordsIn } from './search-words.ts'
import { reportColumns } from './store.ts'

/** What the outside knows kinds of objects by: see `GET /api/v1/content_types/`. */
export const ContentTypeId = Type.Integer({ minimum: 1, maximum: 2_147_483_647, examples: [1] })

const idsIn = (texts: readonly string[]): number[] => {
  const parts = texts.flatMap((text) => text.split(',')).map((part) => part.trim())
  const ids = parts.filter((part) => part !== '').map(Number)
  if (parts.some((part) => part !== '' && !/^\d{1,15}$/.test(part)))
    throw invalidField('action_object_id__in', 'Expected ids such as 12,15.')
  return ids
}

/** What single reports are looked at for are filters; the rest says which buckets and ids fit, see `listReports`. */
const definition = {
  // Times of creation never go back while ids go up.
  orderings: { id: 'id', created_date: 'id', updated_date: 'updated_at' },
  defaultOrdering: '-id',
  filters: {
    group: equals('group_id', Id),
    action_object_id__in: custom(
      Type.Array(Type.String(), { description: 'Ids, repeated or with commas between them.', examples: [['12,15']] }),
      (texts) => sql<boolean>`action_object_id = any(${idsIn(texts)}::bigint[])`,
    ),
    error_code: equals('error_code', Type.String({ description: 'The whole code.' })),
    q: custom(
      Type.String({
        maxLength: 200,
        description:
          'Words, in any order and case. All of them, whole, are in the description, the code, or the first 1,000 ' +
          'characters of what was sent or answered. `ReadTimeout` in a description or code is `read` and `timeout` as well. ' +
          'More than 10,000 reports are counted as 10,000, with `X-Total-Count-Relation: gte`, and have pages up to there.',
      }),
      (text) => {
        const words = wordsIn(text)
        // What has no word in it is in no report: no report has the empty word.
        return sql<boolean>`words @> ${words.length === 0 ? [''] : words}::text[]`
      },
    ),
    created_date: time('created_at', 'Created'),
    updated_date: time('updated_at', 'Changed'),
  },
  parameters: {
    catalog: Type.Optional(Type.String({ description: 'Name of the catalogue of the channel that reported.' })),
    channel: Type.Optional(IdOf('Id of the channel that reported.')),
    target_content_type: Type.Optional(Type.String({ description: 'Model name, such as `product`.' })),
    target_content_type_id: Type.Optional({ ...ContentTypeId, description: 'Id of the content type of the target.' }),
    target_object_id: Type.Optional(
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Id of the target.' }),
    ),
    action_content_type: Type.Optional(Type.String({ description: 'Model name, such as `order`.' })),
    action_content_type_id: Type.Optional({ ...ContentTypeId, description: 'Id of the content type of the action.' }),
    is_ok: Type.Optional(Type.Boolean({ description: 'true: resolved, or a success; false: open.' })),
  },
} as const
/** Lists of one kind of action. */
export const kindList = defineList(definition)
export const reportList = defineList({ ...definition, defaultLimit: 100 })
const { channel: _channel, catalog: _catalog, ...withinChannel } = definition.parameters
/** The list below a channel, whose path names it. */
export const channelList = defineList({ ...definition, parameters: withinChannel, defaultLimit: 100 })
/** All that the list can be filtered by, for what acts on what it has. */
export const reportFilters = { ...reportList.filterProperties, ...definition.parameters }
export type ReportQuery = Static<typeof reportList.querystring>

/** Reports that a list has: of these buckets, of an interval of ids, and with conditions that single reports are looked at for. */
export interface Part {
  readonly buckets: readonly CountedBucket[]
  /** The buckets are all that there are, so no report has to be looked at for its bucket. */
  readonly isEveryBucket: boolean
  readonly conditions: Readonly<Record<string, Condition>>
  /** Ids from one (inclusive) to another (not). */
  readonly from: number | undefined
  readonly before: number | undefined
  /** How many there are, once it is known; infinitely many where the count stopped. */
  readonly count?: number
}

const wordFilters = ['group', 'action_object_id__in', 'error_code', 'q']
const timeFilters = ['updated_date', ...comparisons.map((comparison) => `updated_date__${comparison}`)]

/** What single reports are looked at for, by the filter. @throws AppError 400 that names one. */
export const rowConditions = (query: ReportQuery): Record<string, Condition> =>
  Object.fromEntries(
    Object.entries<unknown>({ ...query }).flatMap(([name, value]) =>
      (wordFilters.includes(name) && value !== undefined && value !== '') ||
      (timeFilters.includes(name) && value !== undefined)
        ? [[name, reportList.where({ [name]: value })]]
        : [],
    ),
  )

/** Of reports whose target is not their channel. */
export const hasTarget = (id: number): Condition =>
  sql<boolean>`(not targets_channel and target_object_id = ${String(id)})`

/** Runs `work` on one state of the database, whatever others commit meanwhile. It must not write. */
export const inSnapshot = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)

/** The first report created at a time or later. */
export const firstIdSince = async (db: Db, at: Date): Promise<number | undefined> => {
  const row = await db
    .selectFrom('errorReports')
    .select('id')
    .where('createdAt', '>=', at)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** Counts reports; those that have words up to a bound, because each has to be looked at. */
export const countRows = async (db: Db, part: Part): Promise<number> => {
  const bound = part.conditions['q'] === undefined ? sql`` : sql`limit ${maxCounted + 1}`
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select from error_reports where ${conditionOf(part)} ${bound}) as fitting`.execute(
    db,
  )
  const count = rows[0]?.count ?? 0
  return part.conditions['q'] !== undefined && count > maxCounted ? Number.POSITIVE_INFINITY : count
}

export interface Window {
  readonly field: string
  readonly direction: 'asc' | 'desc'
  readonly offset: number
  readonly limit: number
}

/** The ids of a window of some parts, each with its count, in order. A window nearer to the end is walked to from there. */
export const pageOfIds = async (db: Db, parts: readonly Part[], window: Window): Promise<number[]> => {
  const count = parts.reduce((sum, part) => sum + (part.count ?? 0), 0)
  const limit = Math.min(window.limit, count - window.offset)
  const after = count - window.offset - limit
  if (limit <= 0) return []
  if (window.offset <= after) return firstPageOfIds(db, parts, window)
  const direction = window.direction === 'asc' ? 'desc' : 'asc'
  const ids = await firstPageOfIds(db, parts, { field: window.field, direction, offset: after, limit })
  return ids.toReversed()
}

const firstPageOfIds = async (db: Db, parts: readonly Part[], window: Window): Promise<number[]> => {
  const take = window.offset + window.limit
  const selects = parts.map((part) => sql`(${firstIds(part, take, window)})`)
  const { rows } = await sql<{ id: number }>`
    select id from (${sql.join(selects, sql` union all `)}) as found
    order by ${orderBy(window)} offset ${window.offset} limit ${window.limit}`.execute(db)
  return rows.map(({ id }) => id)
}

const orderBy = ({ field, direction }: Pick<Window, 'field' | 'direction'>) => {
  const way = sql.raw(direction)
  return field === 'updated_date' ? sql`updated_at ${way}, id ${way}` : sql`id ${way}`
}

/** Fewer than these are rather sorted than met by chance while walking in order. */
const fewRows = 5_000
/** What it costs to begin with one more bucket, in rows of an index. */
const startOfBucket = 20
/** Rows of an index that are read within a few milliseconds. */
const quick = 30_000

const firstIds = (part: Part, take: number, { field, direction }: Window) => {
  if (field === 'updated_date') {
    const order = orderBy({ field, direction })
    return sql`select id, updated_at from error_reports where ${conditionOf(part)} order by ${order} limit ${take}`
  }
  if (isByBuckets(part, take)) return byBuckets(part, take, direction)
  // An expression is no column of an index: the rows are found by what they are filtered by, and sorted.
  const id = Object.keys(part.conditions).length > 0 && (part.count ?? 0) <= fewRows ? sql`id + 0` : sql`id`
  return sql`select id from error_reports where ${conditionOf(part)} order by ${id} ${sql.raw(direction)} limit ${take}`
}

/**
 * Whether the first of each bucket are merged, however rare or old they are, instead of passing over the others. For a page far
 * away in most of the buckets passing over reads less.
 */
const isByBuckets = ({ buckets, isEveryBucket, conditions, count = 0 }: Part, take: number): boolean => {
  if (isEveryBucket || Object.keys(conditions).length > 0) return false
  const few = fewOfEach(buckets.length, take)
  const merged = buckets.reduce((sum, bucket) => sum + Math.min(bucket.count, few) + 2 * startOfBucket, take)
  const passed = (take * (buckets[0]?.total ?? 0)) / Math.max(1, count)
  return merged <= Math.max(quick, passed)
}

/** So many of each bucket are ten times as many as wanted, or whatever can be wanted of one. */
const fewOfEach = (buckets: number, take: number): number => Math.min(take, Math.ceil((10 * take) / buckets))

/**
 * Only a few of each bucket are read at first. The last that would be wanted if there were no others is not before the last
 * that is wanted, so up to there each bucket is read in full: few rows more than are wanted, however they are spread.
 */
const byBuckets = (part: Part, take: number, direction: Window['direction']) => {
  const way = sql.raw(direction)
  const ids = part.buckets.map(({ id }) => id)
  const firstOfEach = (limit: number, condition: Condition) => sql<number>`
    select first.id from unnest(${ids}::integer[]) as bucket(id) cross join lateral (
      select report.id from error_reports report
      where report.bucket_id = bucket.id and ${rangeOf(part, sql`report.id`)} and ${condition}
      order by report.id ${way} limit ${limit}
    ) as first order by first.id ${way}`
  const few = fewOfEach(ids.length, take)
  if (few === take) return sql`${firstOfEach(take, sql`true`)} limit ${take}`
  const [isUpTo, endless] = direction === 'asc' ? [sql`<=`, Number.MAX_SAFE_INTEGER] : [sql`>=`, 0]
  const last = sql`coalesce((${firstOfEach(few, sql`true`)} offset ${take - 1} limit 1), ${endless}::bigint)`
  return sql`${firstOfEach(take, sql`report.id ${isUpTo} ${last}`)} limit ${take}`
}

const rangeOf = ({ from, before }: Part, id: RawBuilder<unknown>): Condition =>
  all([
    ...(from === undefined ? [] : [sql<boolean>`${id} >= ${from}`]),
    ...(before === undefined ? [] : [sql<boolean>`${id} < ${before}`]),
  ])

const conditionOf = (part: Part): Condition => {
  const { buckets, isEveryBucket, conditions } = part
  return all([
    ...(isEveryBucket ? [] : [sql<boolean>`bucket_id = any(${buckets.map(({ id }) => id)}::integer[])`]),
    ...Object.values(conditions),
    rangeOf(part, sql`id`),
  ])
}

const texts = ['errorDesc', 'rawRequest', 'rawResponse'] as const
type Text = (typeof texts)[number]
/** How many bytes a text has behind what was read of it. */
type Missing = { readonly [name in Text as `${name}Missing`]: number | null }

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Of a long text the rest is not even read. The length of any text is known without reading it. */
const startOf = (name: Text): (readonly [expression: string, alias: string])[] => {
  const column = snakeCase(name)
  const isShort = `octet_length(${column}) <= ${shownInLists}`
  const start = `left(${column}, ${shownInLists})`
  return [
    [`case when ${isShort} then ${column} else ${start} end`, name],
    [`case when ${isShort} then 0 else octet_length(${column}) - octet_length(${start}) end`, `${name}Missing`],
  ]
}
const isText = (name: (typeof reportColumns)[number]): name is Text => (texts as readonly string[]).includes(name)

/** In one text: as 40 columns of the query builder they would be written out for each list again. */
const columns = reportColumns
  .flatMap((name) => (isText(name) ? startOf(name) : [[snakeCase(name), name] as const]))
  .map(([expression, alias]) => `${expression} as "${alias}"`)
  .join(', ')

const readStatement = prepared(`
  select ${columns}
  from error_reports where id = any($1::bigint[])`)

/** A page of all reports, of which there are as many as their buckets count, in one statement. */
export const listAll = async (db: Db, query: ReportQuery): Promise<Rows<Report>> => {
  const base = db.selectFrom('errorReports').select(sql.raw(columns) as never)
  const list = { ...reportList, known: () => totalCount }
  const { rows, count } = await readList(db, list, query, base.$castTo<Report & Missing>())
  return { rows: rows.map(shortenedReport), count }
}

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
