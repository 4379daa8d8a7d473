import { sql, type RawBuilder } from 'kysely'
import { Type, type TOptional, type TSchema, type TString } from 'typebox'
import { timeFrom } from '#platform/time-text.ts'

/** One filter of a list: what the query may say, and which rows it leaves. */
export interface Filter<S extends TSchema = TSchema> {
  readonly schema: S
  /** @throws AppError 400 that names the filter, when the value is not one after all. */
  readonly fits: (value: never, name: string) => RawBuilder<boolean>
}
/** The filters of a list, by the name of the query parameter. */
export type Filters = Readonly<Record<string, Filter>>

type QueryOf<F extends Filters> = { [Name in keyof F]: TOptional<F[Name]['schema']> }

/** The query parameters of the filters, to spread into the schema of a query. */
export const filterQuery = <F extends Filters>(filters: F): QueryOf<F> =>
  Object.fromEntries(Object.entries(filters).map(([name, { schema }]) => [name, Type.Optional(schema)])) as QueryOf<F>

/** The condition that all filters of a query make together. @throws AppError 400 that names a filter. */
export const fitting = (filters: Filters, query: Readonly<Record<string, unknown>>): RawBuilder<boolean> => {
  const conditions = Object.entries(filters).flatMap(([name, { fits }]) =>
    query[name] === undefined ? [] : [fits(query[name] as never, name)],
  )
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** Leaves the rows whose column has the value. */
export const equals = <S extends TSchema>(column: string, schema: S): Filter<S> => ({
  schema,
  fits: (value: unknown) => sql<boolean>`${sql.ref(column)} = ${value}`,
})

/** Leaves the rows whose column has the text in it; case makes no difference. */
export const contains = (column: string, what: string) => ({
  schema: Type.String({ description: `Part of ${what}; case makes no difference.` }),
  fits: (value: string) => sql<boolean>`strpos(lower(${sql.ref(column)}), lower(${value})) > 0`,
})

const bounds = {
  gt: { operator: sql`>`, description: 'After this time.' },
  gte: { operator: sql`>=`, description: 'At this time or later.' },
  lt: { operator: sql`<`, description: 'Before this time.' },
  lte: { operator: sql`<=`, description: 'At this time or earlier.' },
} as const

/** Four filters of a time, such as `created_date__gte`: RFC 3339, or `YYYY-MM-DD HH:MM:SS` in UTC. */
export const timeRange = <Name extends string>(name: Name, column: string) =>
  Object.fromEntries(
    Object.entries(bounds).map(([bound, { operator, description }]) => [
      `${name}__${bound}`,
      {
        schema: Type.String({ description, maxLength: 40, examples: ['2026-11-21T09:30:00Z'] }),
        fits: (value: string, filter: string) =>
          sql<boolean>`${sql.ref(column)} ${operator} ${timeFrom(filter, value)}`,
      },
    ]),
  ) as unknown as Record<`${Name}__${keyof typeof bounds}`, Filter<TString>>
