import type { RawBuilder } from 'kysely'
import { Type, type Static, type TObject, type TProperties, type TUnsafe } from 'typebox'
import { all, columnOf, type Column, type Condition, type Filter, type Filters } from './filters.ts'
import { keptCount, keptCounts, type CountedValue } from './kept-counts.ts'
import type { Page } from './page.ts'

export interface ListDefinition<F extends Filters, P extends TProperties> {
  /** Column that tells rows apart; it breaks ties. `id` by default. */
  readonly key?: Column
  /** What the list can be ordered by: name on the wire → column. A bounded list has none that can be null. */
  readonly orderings?: Readonly<Record<string, Column>>
  /** `field` or `-field` of the orderings; the key by default. */
  readonly defaultOrdering?: string
  readonly filters?: F
  /** The table whose counts triggers keep, and the columns that they are kept by: filter → column. See keep_list_counts in SQL. */
  readonly kept?: { readonly table: string; readonly by: { readonly [Name in keyof F]?: string } }
  /** Further parameters of the query, which the caller reads itself. */
  readonly parameters?: P
  /** Rows on a page where the query does not say; 10 by default. */
  readonly defaultLimit?: number
  /** `bounded` for logs: what they count ends at 10,000, and cursors lead on. */
  readonly count?: 'exact' | 'bounded'
}

/** A query of the list as its routes find it. Comparisons such as `created_date__gte` are there too, untyped. */
export type ListQuery<F extends Filters = Filters, P extends TProperties = TProperties> = Page & {
  readonly ordering: string
} & { readonly [Name in keyof F]?: F[Name] extends Filter<infer V> ? V : never } & Static<TObject<P>>

export interface Order {
  /** Name on the wire. */
  readonly field: string
  readonly column: RawBuilder<unknown>
  readonly direction: 'asc' | 'desc'
}

export interface List<F extends Filters = Filters, P extends TProperties = TProperties> {
  readonly key: RawBuilder<unknown>
  readonly count: 'exact' | 'bounded'
  /** Whether the count of a query ends at 10,000: in logs, and by filters that say so. */
  readonly isBounded: (query: object) => boolean
  /** Schema of the query of its routes. */
  readonly querystring: TUnsafe<ListQuery<F, P>>
  /** Every filter alone, all optional, for a body that has them. */
  readonly filterProperties: TProperties
  /**
   * What the filters of a query leave.
   * @param path of the filters in the request, with a dot at its end. @throws AppError 400 that names a filter.
   */
  readonly where: (query: object, path?: string) => Condition
  readonly order: (query: { readonly ordering?: string }) => Order
  /** How many rows fit a query, where that is kept. */
  readonly known: (query: object) => RawBuilder<number> | undefined
  /** How many rows each value of a filter has, where that is kept: when no filter is given. */
  readonly knownBy: (query: object, name: string) => RawBuilder<CountedValue> | undefined
}

/** What reads a list needs of it. */
export type ReadableList = Pick<List, 'key' | 'count' | 'isBounded' | 'where' | 'order' | 'known'>

/** Defines a list once: its filters, orderings, count and the schema of its query (see README.md). */
export const defineList = <const F extends Filters = {}, const P extends TProperties = {}>({
  key = 'id',
  orderings,
  defaultOrdering,
  filters,
  kept,
  parameters,
  defaultLimit = 10,
  count = 'exact',
}: ListDefinition<F, P>): List<F, P> => {
  const byParameter = new Map(Object.entries(filters ?? {}).flatMap(([name, filter]) => parametersOf(name, filter)))
  const filterProperties = Object.fromEntries(
    [...byParameter].map(([name, { schema }]) => [name, Type.Optional(schema)]),
  )
  const querystring = Type.Object({
    ...pageQuery(defaultLimit),
    ...(count === 'bounded' ? { cursor: Type.Optional(Cursor) } : {}),
    ...(orderings === undefined ? {} : orderingQuery(Object.keys(orderings), defaultOrdering)),
    ...filterProperties,
    ...parameters,
  })
  const keyColumn = columnOf(key)
  return {
    key: keyColumn,
    count,
    isBounded: (query) =>
      count === 'bounded' ||
      Object.entries(query).some(([name, value]) => value !== undefined && filters?.[name]?.isBounded === true),
    querystring: Type.Unsafe<ListQuery<F, P>>(querystring),
    filterProperties,
    where: (query, path = '') =>
      all(
        Object.entries(query).flatMap(([name, value]) => {
          const filter = value === undefined ? undefined : byParameter.get(name)
          return filter === undefined ? [] : [filter.condition(value, `${path}${name}`)]
        }),
      ),
    order: ({ ordering }) => {
      const { field, direction } = orderingOf(ordering ?? defaultOrdering ?? '')
      const column = orderings?.[field] ?? key
      return { field, column: column === key ? keyColumn : columnOf(column), direction }
    },
    known: (query) => {
      if (kept === undefined) return undefined
      const [given, ...more] = Object.entries(query).filter(
        ([name, value]) => value !== undefined && byParameter.has(name),
      )
      if (given === undefined) return keptCount(kept.table)
      const column = kept.by[given[0]]
      return column === undefined || more.length > 0
        ? undefined
        : keptCount(kept.table, column, [given[1]].flat().map(String))
    },
    knownBy: (query, name) => {
      const column = kept?.by[name]
      const isFiltered = Object.entries(query).some(([given, value]) => value !== undefined && byParameter.has(given))
      return kept === undefined || column === undefined || isFiltered ? undefined : keptCounts(kept.table, column)
    },
  }
}

const parametersOf = (name: string, filter: Filter): (readonly [string, Omit<Filter, 'compared'>])[] => [
  [name, filter],
  ...Object.entries(filter.compared ?? {}).map(
    ([comparison, compared]) => [`${name}__${comparison}`, compared] as const,
  ),
]

const Cursor = Type.String({
  maxLength: 2_048,
  description: 'Where the page before ended, as its `Link` has it; `page` does not count then.',
})

/** Query fields of every list (contract, section 1). */
const pageQuery = (limit = 10) => ({
  page: Type.Integer({
    title: 'Page',
    description: 'Which page; the first is 1.',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 1,
  }),
  limit: Type.Integer({
    ...(limit === 10 ? { title: 'Limit' } : {}),
    minimum: 1,
    maximum: 1000,
    default: limit,
    description: 'Rows on a page.',
  }),
})

/** `ordering=field` or `-field`: one of the given fields. */
export const orderingQuery = (fields: readonly string[], usual?: string) => ({
  ordering: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      description: 'What rows are ordered by; `-` for the other direction.',
      enum: fields.flatMap((field) => [field, `-${field}`]),
      ...(usual === undefined ? {} : { default: usual }),
    }),
  ),
})

/** Splits `-created_date` into its parts. */
export const orderingOf = (ordering: string): { field: string; direction: 'asc' | 'desc' } =>
  ordering.startsWith('-') ? { field: ordering.slice(1), direction: 'desc' } : { field: ordering, direction: 'asc' }
