import { sql, type RawBuilder } from 'kysely'
import { Type, type Static, type TSchema } from 'typebox'
import { invalidField } from '../errors.ts'
import { CheckedElsewhere } from '../http/schemas.ts'
import { timeOrDatePattern, timePattern } from '../time-text.ts'
import { comparisons, readTimeRange, type Comparison, type Dates, type TimeRange } from './time-range.ts'

/** A column by its name in SQL, or what stands for one. */
export type Column = string | RawBuilder<unknown>
export type Condition = RawBuilder<boolean>
export const columnOf = (column: Column): RawBuilder<unknown> => (typeof column === 'string' ? sql.ref(column) : column)

/** One filter of a list: what the query may say, and which rows it leaves. */
export interface Filter<V = unknown> {
  readonly schema: TSchema
  /** @param name of the parameter, for errors. @throws AppError 400 that names it, for what the schema cannot refuse. */
  readonly condition: (value: V, name: string) => Condition
  /** Whether `__gt`, `__gte`, `__lt` and `__lte` follow the name as well, and how they compare. */
  readonly compared?: Readonly<Record<(typeof comparisons)[number], Omit<Filter<V>, 'compared'>>>
  /** Whether counts by this filter end at 10,000, as those of logs do, because each row has to be looked at. */
  readonly isBounded?: boolean
}
/** The filters of a list, by the name of the query parameter. */
// oxlint-disable-next-line typescript/no-explicit-any -- each takes values of its own schema
export type Filters = Readonly<Record<string, Filter<any>>>

/** A filter by any condition of its value. */
export const custom = <S extends TSchema>(
  schema: S,
  condition: (value: Static<S>, name: string) => Condition,
): Filter<Static<S>> => ({ schema, condition })

/** Rows whose column has the value. */
export const equals = <S extends TSchema>(column: Column, schema: S) =>
  custom(
    { description: 'Only with exactly this value.', ...schema },
    (value) => sql<boolean>`${columnOf(column)} = ${value}`,
  )

/** Rows whose column has one of the values; the parameter is repeated for more of them. */
export const oneOf = <S extends TSchema>(column: Column, schema: S, description = 'May be repeated: one of these.') =>
  custom(
    Type.Unsafe<Static<S>[]>(Type.Array(schema, { description })),
    (values) => sql<boolean>`${columnOf(column)} in (${sql.join(values)})`,
  )

/** Rows whose column has the text in it; case makes no difference. @param what "the name", for the description. */
export const contains = (column: Column, what: string) => foldedContains(sql`lower(${columnOf(column)})`, what)

/** An index of trigrams finds these; for what has none it would be read whole. */
const trigram = /[\p{L}\p{N}]{3}/u

/** Rows whose column, which is in lower case, has the text in it. */
export const foldedContains = (column: Column, what: string): Filter<string> => ({
  schema: Type.String({
    description:
      `Part of ${what}; case makes no difference. ` +
      'More than 10,000 rows are counted as 10,000, with `X-Total-Count-Relation: gte`, and have pages up to there.',
  }),
  condition: (part) => textIn(column, part, (text) => sql`lower(${text})`),
  isBounded: true,
})

/** That a column has the text in it. @param fold what makes the text like the column, which is folded already. */
export const textIn = (column: Column, part: string, fold: (text: string) => RawBuilder<unknown>): Condition =>
  trigram.test(part)
    ? sql<boolean>`${columnOf(column)} like ${fold(`%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)}`
    : sql<boolean>`strpos(${columnOf(column)}, ${fold(part)}) > 0`

/** Rows that are so, or are not. */
export const truth = (column: Column) =>
  equals(column, Type.Boolean({ description: 'true: only those that are so; false: only the others.' }))

const operators: Record<Comparison, RawBuilder<unknown>> = {
  is: sql`=`,
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
}
type Words = Readonly<Record<Comparison, string>>

/** The filter by the bare name, and by the name with each comparison. */
const comparedBy = <V>(filterOf: (comparison: Comparison) => Omit<Filter<V>, 'compared'>): Filter<V> => {
  const [gt, gte, lt, lte] = comparisons.map(filterOf) as [Filter<V>, Filter<V>, Filter<V>, Filter<V>]
  return { ...filterOf('is'), compared: { gt, gte, lt, lte } }
}

/** What fits a bigint, and is read as the number that was written. */
const Whole = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })

/** A quantity, and what is more or less. @param what with which descriptions begin, such as "Pieces". */
export const quantity = (column: Column, what: string, schema: TSchema = Whole): Filter<number> => {
  const words: Words = { is: 'exactly', gt: 'more than', gte: 'at least', lt: 'less than', lte: 'at most' }
  return comparedBy((comparison) =>
    custom(
      Type.Unsafe<number>({ ...schema, description: `${what}: ${words[comparison]} this many.` }),
      (value) => sql<boolean>`${columnOf(column)} ${operators[comparison]} ${value}`,
    ),
  )
}

const amountPattern = String.raw`^[0-9]{1,15}(?:\.[0-9]{1,8})?$`
const amountForm = new RegExp(amountPattern)

/** An amount of money as a decimal, in whatever currency a row has. */
export const amount = (column: Column, what: string): Filter<string> => {
  const words: Words = { is: 'exactly', gt: 'more than', gte: 'at least', lt: 'less than', lte: 'at most' }
  return comparedBy((comparison) =>
    custom(
      CheckedElsewhere(
        Type.String({ description: `${what}: ${words[comparison]} this.`, maxLength: 40, examples: ['1234.50'] }),
        { pattern: amountPattern },
      ),
      (value, name) => {
        if (!amountForm.test(value)) throw invalidField(name, 'Expected an amount of 0 or more, such as 1234.50.')
        return sql<boolean>`${columnOf(column)} ${operators[comparison]} ${value}::numeric`
      },
    ),
  )
}

export interface TimeOptions {
  /** What a date without a time means; `refused` by default. */
  readonly dates?: Dates
  /** The condition of a range, where it is none of a column. */
  readonly condition?: (range: TimeRange) => Condition
}

/** A time, and what is before or after it. @param what with which descriptions begin, such as "Created". */
export const time = (
  column: Column,
  what: string,
  { dates = 'refused', condition = inRange(column) }: TimeOptions = {},
) => {
  const ends: Words = {
    is: dates === 'refused' ? 'at this time' : 'on this day, or at this time',
    gt: 'after this time',
    gte: 'at this time or later',
    lt: 'before this time',
    lte: dates === 'days' ? 'at this time or earlier; a day counts to its end' : 'at this time or earlier',
  }
  const examples = dates === 'refused' ? ['2026-11-21T09:30:00Z'] : ['2026-11-21', '2026-11-21T09:30:00Z']
  const pattern = dates === 'refused' ? timePattern : timeOrDatePattern
  return comparedBy((comparison) =>
    custom(
      CheckedElsewhere(Type.String({ description: `${what} ${ends[comparison]}.`, maxLength: 40, examples }), {
        pattern,
      }),
      (value, name) => condition(readTimeRange(value, name, comparison, dates)),
    ),
  )
}

const inRange =
  (column: Column) =>
  ({ from, before }: TimeRange): Condition =>
    all([
      ...(from === undefined ? [] : [sql<boolean>`${columnOf(column)} >= ${from}`]),
      ...(before === undefined ? [] : [sql<boolean>`${columnOf(column)} < ${before}`]),
    ])

/** The condition that every row fits. */
export const everything: Condition = sql<boolean>`true`

/** What holds where all of these hold; `everything` where none of them limits anything. */
export const all = (conditions: readonly Condition[]): Condition => {
  const limits = conditions.filter((condition) => condition !== everything)
  return limits.length === 0 ? everything : sql<boolean>`(${sql.join(limits, sql` and `)})`
}

/** When a record was made and last changed, as most lists name and keep it. */
export const recordTimes = {
  created_date: time('created_at', 'Created'),
  modified_date: time('modified_at', 'Changed'),
}
