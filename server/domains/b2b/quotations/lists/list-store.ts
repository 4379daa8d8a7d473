import { sql, type RawBuilder } from 'kysely'
import { Type } from 'typebox'
import type { Db } from '#platform/db/database.ts'
import { invalidField } from '#platform/errors.ts'
import { offsetOf, orderingOf, type Page, type Rows } from '#platform/http/pagination.ts'
import { Id, OneOf } from '#platform/http/schemas.ts'
import { notATime, parseTime } from '#platform/time-text.ts'
import { equals, fitting, type Filters } from '../../list-filters-store.ts'
import { countQuotations, divisionsCalled, type CountFilter } from './count-store.ts'
import {
  beginningOf,
  countFitting,
  measure,
  pageByBlocks,
  pageNearEnd,
  readPage,
  readPageWithin,
} from './list-page-store.ts'
import { knownColumns } from '../terms/known-terms-store.ts'
import type { Quotation } from '../quotation.ts'
import { netUnits } from '../store.ts'
import { quotationStatuses } from '../rules/vocabulary.ts'

/** How a filter compares. */
type Bound = 'is' | 'gte' | 'lte'

const filter = (description: string, examples: readonly string[], fits: (value: string, name: string) => Fits) => ({
  schema: Type.String({ description, maxLength: 40, examples }),
  fits,
})
type Fits = RawBuilder<boolean>

const dayForm = /^\d{4}-\d{2}-\d{2}$/
const dayMs = 86_400_000

/** A date stands for the whole of that day in UTC. @throws AppError 400 that names the filter. */
const fitsTime = (column: string, bound: Bound) => (value: string, name: string) => {
  const isDay = dayForm.test(value)
  const from = parseTime(isDay ? `${value}T00:00:00Z` : value)
  if (from === undefined) throw invalidField(name, `${notATime.slice(0, -1)}, or a date.`)
  const end = new Date(from.getTime() + (isDay ? dayMs : 1))
  const conditions = {
    is: sql<boolean>`(${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${end})`,
    gte: sql<boolean>`${sql.ref(column)} >= ${from}`,
    lte: sql<boolean>`${sql.ref(column)} < ${end}`,
  }
  return conditions[bound]
}

const times = (name: string, what: string) => ({
  [name]: filter(`${what} on this day, or at this time.`, ['2026-11-21'], fitsTime(name, 'is')),
  [`${name}__gte`]: filter(`${what} then or later.`, ['2026-11-21T09:30:00Z'], fitsTime(name, 'gte')),
  [`${name}__lte`]: filter(`${what} then or earlier; a day counts to its end.`, ['2026-11-21'], fitsTime(name, 'lte')),
})

const amountForm = /^\d{1,15}(?:\.\d{1,8})?$/
const comparisons = { is: sql`=`, gte: sql`>=`, lte: sql`<=` }

/** Filters of an amount in whatever currency a quotation has. @throws AppError 400 that names the filter. */
const totals = (units: RawBuilder<unknown>) => {
  const fits = (bound: Bound) => (value: string, name: string) => {
    if (!amountForm.test(value)) throw invalidField(name, 'Expected an amount of 0 or more, such as 1234.50.')
    return sql<boolean>`${units} ${comparisons[bound]} ${value}::numeric`
  }
  return {
    total_amount: filter('Exactly this amount.', ['1234.50'], fits('is')),
    total_amount__gte: filter('This amount or more.', ['1000'], fits('gte')),
    total_amount__lte: filter('This amount or less.', ['5000'], fits('lte')),
  }
}

/** What both lists can be narrowed by (document 3; contract, section 7). */
export const quotationFilters = {
  name: {
    schema: Type.String({ description: 'Part of the name; case makes no difference.' }),
    fits: (value: string) => sql<boolean>`strpos(folded_name, lower(${value})) > 0`,
  },
  number: equals('number', Type.String({ examples: ['Q-2026-000007'] })),
  user: equals('user_id', Type.Integer({ ...Id, description: 'Of this owner.' })),
  status: {
    schema: Type.Array(OneOf(quotationStatuses), { description: 'One of these statuses; may be repeated.' }),
    fits: (statuses: readonly string[]) => sql<boolean>`status = any(${statuses}::text[])`,
  },
  division: equals('division_id', Type.Integer({ ...Id, description: 'Of an owner of this division.' })),
  phone_number: {
    schema: Type.String({ description: 'Part of the phone number of the division.' }),
    fits: (value: string) => sql<boolean>`division_id = any(${divisionsCalled(value)})`,
  },
  ...totals(sql`total_units`),
  ...(times('created_at', 'Created') as Times<'created_at'>),
  ...(times('modified_at', 'Changed') as Times<'modified_at'>),
}
type Times<Name extends string> = Record<Name | `${Name}__gte` | `${Name}__lte`, ReturnType<typeof filter>>

/** Fields that the lists can be ordered by, and their columns. */
export const orderColumns: Readonly<Record<string, RawBuilder<unknown>>> = {
  id: sql`id`,
  number: sql`number`,
  name: sql`name`,
  status: sql`status`,
  total_amount: sql`total_units`,
  net_amount: netUnits,
  created_at: sql`created_at`,
  modified_at: sql`modified_at`,
}
export const quotationOrderings = Object.keys(orderColumns)

/** What a list is filtered and ordered by: what is, and what its owner knows. */
const views: Readonly<Record<'present' | 'known', { filters: Filters; order: typeof orderColumns }>> = {
  present: { filters: quotationFilters, order: orderColumns },
  known: {
    filters: { ...quotationFilters, ...totals(knownColumns.totalUnits) },
    order: { ...orderColumns, total_amount: knownColumns.totalUnits, net_amount: knownColumns.netUnits },
  },
}

/** Whose quotations a list has: those of an owner, those that wait for a main division, those of its whole tree, or all. */
export type Scope =
  | { readonly owner: number }
  | { readonly waitingAt: number | null }
  | { readonly tree: number | null }
  | 'all'

export interface QuotationQuery extends Page, CountFilter {
  readonly name?: string
  readonly ordering?: string
}

/** One page of the quotations that fit the filters of a query, the newest first unless it says otherwise. @throws AppError 400 for a filter. */
export const listQuotations = async (db: Db, scope: Scope, query: QuotationQuery): Promise<Rows<Quotation>> => {
  const { field, direction } = orderingOf(query.ordering ?? '-id')
  const { filters, order } = views[scope === 'all' ? 'present' : 'known']
  const window = { order: order[field] ?? sql`id`, direction, offset: offsetOf(query), limit: query.limit }
  const fits = sql<boolean>`${inScope(scope)} and ${fitting(filters, { ...query })}`
  const known = await knownCount(db, scope, query)
  if (known !== undefined) {
    const near = field === 'id' ? sql<boolean>`${fits} and ${fromBeginning(scope, query, direction)}` : fits
    return { count: known, rows: await readPage(db, near, known, window) }
  }
  if (field === 'id' && isByName(scope, query)) {
    const near = await pageNearEnd(db, fits, window)
    return near === undefined ? pageByBlocks(db, fits, window) : { count: await countFitting(db, fits), rows: near }
  }
  const extent = await measure(db, fits)
  const read = field === 'id' ? readPageWithin(db, fits, extent, window) : readPage(db, fits, extent.count, window)
  return { count: extent.count, rows: await read }
}

/** Leaves out what lies before the first that fits: what has expired, say, lies behind all that is new. */
const fromBeginning = (scope: Scope, query: QuotationQuery, direction: 'asc' | 'desc'): Fits => {
  const { status, division, phone_number: phoneNumber } = query
  const user = scope !== 'all' && 'owner' in scope ? scope.owner : query.user
  const isTree = scope !== 'all' && 'tree' in scope
  const beginnings = [
    !isTree && status && beginningOf('status', sql`${status}::text[]`, direction),
    // Its index goes by status too.
    isTree && beginningOf('status', sql`${status ?? quotationStatuses}::text[]`, direction, inScope(scope)),
    user !== undefined && beginningOf('user_id', sql`${[user]}::bigint[]`, direction),
    division !== undefined && beginningOf('division_id', sql`${[division]}::bigint[]`, direction),
    phoneNumber !== undefined && beginningOf('division_id', divisionsCalled(phoneNumber), direction),
  ]
  return sql.join([sql`true`, ...beginnings.filter((one) => typeof one === 'object')], sql` and `)
}

/** Whether parts of names, which no index finds, decide about the quotations of everybody. */
const isByName = (scope: Scope, { name }: QuotationQuery): boolean => scope === 'all' && name !== undefined

const inScope = (scope: Scope): Fits => {
  if (scope === 'all') return sql<boolean>`true`
  if ('owner' in scope) return sql<boolean>`user_id = ${scope.owner}`
  if ('tree' in scope) return sql<boolean>`root_division_id = ${scope.tree}`
  return sql<boolean>`(root_division_id = ${scope.waitingAt} and status = 'request_approval')`
}

const counted = new Set(['status', 'user', 'division', 'phone_number'])

/** Exact, and found without counting; undefined where only counting helps. */
const knownCount = async (db: Db, scope: Scope, query: QuotationQuery): Promise<number | undefined> => {
  const given = Object.entries(query).filter(([name, value]) => name in quotationFilters && value !== undefined)
  if (given.some(([name]) => !counted.has(name)) || (scope !== 'all' && 'waitingAt' in scope)) return undefined
  if (scope === 'all') return countQuotations(db, query)
  if ('tree' in scope) return countQuotations(db, { ...query, root: scope.tree })
  const { user = scope.owner } = query
  return user === scope.owner ? countQuotations(db, { ...query, user }) : 0
}
