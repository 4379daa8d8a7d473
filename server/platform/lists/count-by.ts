import { sql, type QueryExecutorProvider, type SelectQueryBuilder } from 'kysely'
import { Type, type TProperties } from 'typebox'
import type { List } from './define-list.ts'
import type { CountedValue } from './kept-counts.ts'
import { maxCounted } from './page.ts'

type Counting = Pick<List, 'where' | 'isBounded' | 'knownBy'>

/** How many rows have each value; `isMore`: so many fit that the count stopped. */
export interface CountsBy<Value extends string> {
  readonly counts: Readonly<Record<Value, number>>
  readonly isMore: boolean
}

/** Schema of the query of counts: the filters of the list but the one that is counted by. */
export const countQuery = (list: Pick<List, 'filterProperties'>, name: string, parameters: TProperties = {}) => {
  const { [name]: _, ...filters } = list.filterProperties
  return Type.Object({ ...filters, ...parameters })
}

/** Schema of counts: a number for each value. */
export const Counts = <const Values extends readonly string[]>(values: Values, title: string, what: string) => {
  const properties = Object.fromEntries(
    values.map((value) => [
      value,
      Type.Integer({ minimum: 0, description: `How many ${what} have the status ${value}.` }),
    ]),
  )
  const schema = Type.Object(properties, { title, description: `How many ${what} each status has.` })
  return Type.Unsafe<Record<Values[number], number>>(schema)
}

/** Every value with its count; 0 where none was found. */
export const countsOf = <Value extends string>(
  values: readonly Value[],
  found: readonly CountedValue[],
): Record<Value, number> => {
  const counts = new Map(found.map(({ value, count }) => [value, count]))
  return Object.fromEntries(values.map((value) => [value, counts.get(value) ?? 0])) as Record<Value, number>
}

/**
 * How many of the rows of `base` that fit the filters of a query have each value of a column: kept where the list keeps it, else
 * counted, up to 10,000 rows where the list stops there.
 * @param by the column, which is also the name of the filter. @throws AppError 400 that names a filter.
 */
export const countBy = async <DB, TB extends keyof DB, O, Value extends string>(
  db: QueryExecutorProvider,
  { list, by, values }: { readonly list: Counting; readonly by: string; readonly values: readonly Value[] },
  query: object,
  base: SelectQueryBuilder<DB, TB, O>,
): Promise<CountsBy<Value>> => {
  const isBounded = list.isBounded(query)
  const rows = base.where(list.where(query)).select(sql<string>`${sql.ref(by)}`.as('value'))
  const fitting = isBounded ? rows.limit(maxCounted + 1) : rows
  const counted = sql<CountedValue>`select value, count(*) as count from (${fitting}) as fitting group by value`
  const { rows: found } = await (list.knownBy(query, by) ?? counted).execute(db)
  const counts = countsOf(values, found)
  const sum = Object.values<number>(counts).reduce((one, other) => one + other, 0)
  return { counts, isMore: isBounded && sum > maxCounted }
}
