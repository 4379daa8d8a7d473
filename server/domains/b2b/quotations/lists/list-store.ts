import { sql, type RawBuilder } from 'kysely'
import { Type } from 'typebox'
import type { Db } from '#platform/db/database.ts'
import { select } from '#platform/db/driver/shared-selects.ts'
import { Id, OneOf } from '#platform/http/schemas.ts'
import { countBy, countsOf, type CountsBy } from '#platform/lists/count-by.ts'
import { defineList, type List } from '#platform/lists/define-list.ts'
import {
  all,
  amount,
  custom,
  equals,
  everything,
  foldedContains,
  oneOf,
  time,
  type Condition,
} from '#platform/lists/filters.ts'
import {
  boundedCount,
  mapRows,
  maxCounted,
  offsetOf,
  refuseFarPage,
  type Page,
  type Rows,
} from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import type { Quotation } from '../quotation.ts'
import { orderStatuses, quotationStatuses, type QuotationStatus } from '#events/quotations.ts'
import { columns, netUnits, toQuotation } from '../store.ts'
import { knownColumns } from '../terms/known-terms-store.ts'
import { countByStatus, countQuotations, divisionsCalled, type CountFilter } from './count-store.ts'

/** Amounts as a reader knows them, in units of the currency. */
interface Amounts {
  readonly totalUnits: RawBuilder<unknown>
  readonly netUnits: RawBuilder<unknown>
}
const presentColumns: Amounts = { totalUnits: sql`total_units`, netUnits }

/** Quotations that have an order of one of these statuses. Of most it has to be looked up, so the count is bounded. */
const orderStatus = {
  ...custom(
    Type.Unsafe<(typeof orderStatuses)[number][]>(
      Type.Array(OneOf(orderStatuses), {
        description:
          'With an order of one of these statuses; may be repeated. ' +
          'More than 10,000 quotations are counted as 10,000, with `X-Total-Count-Relation: gte`, and have pages up to there.',
      }),
    ),
    (statuses) => sql<boolean>`exists (
      select from quotation_orders as made where made.quotation_id = quotations.id and made.status in (${sql.join(statuses)}))`,
  ),
  isBounded: true,
}

/** What both lists can be narrowed by (document 3; contract, section 7). */
const filtersOn = ({ totalUnits }: Amounts) => ({
  name: foldedContains('folded_name', 'the name'),
  number: oneOf('number', Type.String({ examples: ['Q-2026-000007'] }), 'One of these numbers; may be repeated.'),
  user: equals('user_id', Type.Integer({ ...Id, description: 'Of this owner.' })),
  status: oneOf('status', OneOf(quotationStatuses), 'One of these statuses; may be repeated.'),
  division: equals('division_id', Type.Integer({ ...Id, description: 'Of an owner of this division.' })),
  phone_number: custom(
    Type.String({ description: 'Part of the phone number of the division.' }),
    (value) => sql<boolean>`division_id = any(${divisionsCalled(value)})`,
  ),
  order_status: orderStatus,
  total_amount: amount(totalUnits, 'Total amount'),
  created_at: time('created_at', 'Created', { dates: 'days' }),
  modified_at: time('modified_at', 'Changed', { dates: 'days' }),
})

const orderingsOn = (amounts: Amounts) => ({
  id: 'id',
  number: 'number',
  name: 'name',
  status: 'status',
  total_amount: amounts.totalUnits,
  net_amount: amounts.netUnits,
  created_at: 'created_at',
  modified_at: 'modified_at',
})
export const quotationOrderings = Object.keys(orderingsOn(presentColumns))

/** All quotations, as they are. */
export const quotationList = defineList({
  filters: filtersOn(presentColumns),
  orderings: orderingsOn(presentColumns),
  defaultOrdering: '-id',
})

const wantedScopes = ['approvals', 'tree'] as const
export const scopeParameter = {
  scope: Type.Optional(
    OneOf(wantedScopes, {
      description:
        'For users of a main division: what waits for its approval, or all quotations of its tree. For others these are empty.',
    }),
  ),
}

/** Quotations of buyers, with the amounts that they know. */
export const knownQuotationList = defineList({
  filters: filtersOn(knownColumns),
  orderings: orderingsOn(knownColumns),
  defaultOrdering: '-id',
  parameters: scopeParameter,
})

/** Whose quotations a list has: those of an owner, those that wait for a main division, those of its whole tree, or all. */
export type Scope =
  | { readonly owner: number }
  | { readonly waitingAt: number | null }
  | { readonly tree: number | null }
  | 'all'

type QuotationQuery = Page & CountFilter & { readonly ordering?: string }

/** A quotation with the division that it was made for, as answers show that. */
export interface ListedQuotation extends Quotation {
  readonly division: {
    readonly id: number
    readonly name: string
    readonly phone_number: string
    readonly erp_code: string
  }
}

/** The division of rows of `quotations`. */
export const divisionColumn = sql<ListedQuotation['division']>`(
  select json_build_object('id', id, 'name', name, 'phone_number', phone_number, 'erp_code', coalesce(erp_code, ''))
  from divisions where divisions.id = division_id)`

type Row = Parameters<typeof toQuotation>[0] & Pick<ListedQuotation, 'division'>
const toListed = (row: Row): ListedQuotation => ({ ...toQuotation(row), division: row.division })

/** One page of the quotations that fit the filters of a query, in its order. @throws AppError 400 for a filter. */
export const listQuotations = async (db: Db, scope: Scope, query: QuotationQuery): Promise<Rows<ListedQuotation>> => {
  const list: Pick<List, 'where' | 'order' | 'isBounded'> = scope === 'all' ? quotationList : knownQuotationList
  const fits = all([inScope(scope), list.where(query)])
  if (fits === everything) return listAll(db, query)
  const isBounded = list.isBounded(query)
  if (isBounded) refuseFarPage(query)
  const keptBy = keptFilter(scope, query)
  const kept = keptBy && (await countQuotations(db, keptBy))
  const { count, between } =
    kept === undefined ? await measure(db, fits, isBounded) : { count: kept, between: likelyExtent(scope, query) }
  const offset = offsetOf(query)
  const found = isBounded ? boundedCount(count) : { count }
  if (offset >= count) return { ...found, rows: [] }
  // What has an offset is worked out by itself: the rows are found by what they are filtered by, and then sorted.
  const fence = count <= fewRows ? sql`offset 0` : sql``
  const { column, direction } = list.order(query)
  const way = sql.raw(direction)
  const rows = await select(
    db,
    sql<Row>`
    select ${sql.join(columns.map((name) => sql.ref(name)))}, ${divisionColumn} as division
    from (select * from quotations where ${fits} and ${between} ${fence}) as quotation
    order by ${column} ${way}, id ${way} limit ${sql.lit(query.limit)} offset ${sql.lit(offset)}`,
  )
  return { ...found, rows: rows.map(toListed) }
}

/** Without filters the count is kept, and read with the page in one statement, which keeps its plan. */
const listAll = async (db: Db, query: QuotationQuery): Promise<Rows<ListedQuotation>> => {
  const rows = db.selectFrom('quotations').select(columns).select(divisionColumn.as('division'))
  const known = () => sql<number>`(select coalesce(sum(count), 0)::bigint from quotation_counts)`
  return mapRows(await readList(db, { ...quotationList, known }, query, rows), toListed)
}

/** Fewer rows than these are rather sorted than met by chance while walking in order. */
const fewRows = 5_000

/**
 * Counts what fits, and says between which ids it lies: a walk along the ids then begins there, however far back that is.
 * A bounded count stops, and says nothing of the ids then.
 */
const measure = async (
  db: Db,
  fits: Condition,
  isBounded: boolean,
): Promise<{ readonly count: number; readonly between: Condition }> => {
  const bound = isBounded ? sql`limit ${maxCounted + 1}` : sql``
  const rows = await select(
    db,
    sql<{ count: number; first: number | null; last: number | null }>`
    select count(*) as count, min(id) as first, max(id) as last
    from (select id from quotations where ${fits} ${bound}) as fitting`,
  )
  const { count, first, last } = rows[0] ?? { count: 0, first: null, last: null }
  const isCut = isBounded && count > maxCounted
  return { count, between: isCut ? everything : sql<boolean>`id between ${first}::bigint and ${last}::bigint` }
}

const inScope = (scope: Scope): Condition => {
  if (scope === 'all') return everything
  if ('owner' in scope) return sql<boolean>`user_id = ${scope.owner}`
  if ('tree' in scope) return sql<boolean>`root_division_id = ${scope.tree}`
  return sql<boolean>`(root_division_id = ${scope.waitingAt} and status = 'request_approval')`
}

const counted = new Set(['status', 'user', 'division', 'phone_number'])

/** What of the kept counts fits, where they are kept for these filters. */
const keptFilter = (scope: Scope, query: CountFilter): CountFilter | undefined => {
  const given = Object.entries(query).filter(
    ([name, value]) => name in quotationList.filterProperties && value !== undefined,
  )
  if (given.some(([name]) => !counted.has(name)) || (scope !== 'all' && 'waitingAt' in scope)) return undefined
  if (scope === 'all') return query
  if ('tree' in scope) return { ...query, root: scope.tree }
  const { user = scope.owner } = query
  return { ...query, user: user === scope.owner ? user : nobody }
}
/** No user has this id. */
const nobody = 0

/** How many quotations each status has, by the other filters of a list. @throws AppError 400 for a filter. */
export const countQuotationsByStatus = async (
  db: Db,
  scope: Scope,
  query: object,
): Promise<CountsBy<QuotationStatus>> => {
  const kept = keptFilter(scope, query)
  if (kept !== undefined) return { counts: countsOf(quotationStatuses, await countByStatus(db, kept)), isMore: false }
  const list: Pick<List, 'where' | 'isBounded' | 'knownBy'> = scope === 'all' ? quotationList : knownQuotationList
  const quotations = db.selectFrom('quotations').where(inScope(scope))
  return countBy(db, { list, by: 'status', values: quotationStatuses }, query, quotations)
}

/** Indexes of statuses end with the id, those of a tree go by status too. */
const likelyExtent = (scope: Scope, { status }: QuotationQuery): Condition => {
  const isTree = scope !== 'all' && 'tree' in scope
  if (status === undefined || (scope !== 'all' && !isTree)) return everything
  return betweenStatuses(status, inScope(scope))
}

/** Bounds of the ids of these statuses, with one index look-up each: expired quotations lie behind all new ones. */
const betweenStatuses = (statuses: readonly string[], within: Condition): Condition => {
  const end = (which: 'min' | 'max') => sql`(
    select ${sql.raw(which)}(id) from unnest(${statuses}::text[]) as one (status) cross join lateral (
      select ${sql.raw(which)}(id) as id from quotations where quotations.status = one.status and ${within}
    ) as found)`
  return sql<boolean>`id >= ${end('min')} and id <= ${end('max')}`
}

/** Which quotations an export has, and in what order, to be read whole. */
export interface Selection {
  /** Condition on the columns of quotations. */
  readonly fits: Condition
  /** What they are ordered by before their ids, in the same direction. */
  readonly key: RawBuilder<unknown>
  readonly direction: RawBuilder<unknown>
}

/** The selection that the query of a list makes. @throws AppError 400 for a filter. */
export const selectionOf = (query: Readonly<Record<string, unknown>> & { readonly ordering?: string }): Selection => {
  const { column, direction } = quotationList.order(query)
  return { fits: quotationList.where(query), key: column, direction: sql.raw(direction) }
}
