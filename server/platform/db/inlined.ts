import type { CompiledQuery } from 'kysely'
import pg from 'pg'

/**
 * A query as one text, its parameters in it as literals: for a statement that takes none, such as COPY. The text of the query
 * must have no `$1` within a literal of its own.
 * @throws Error for a parameter that is not a text, number, boolean, time, null, or an array of these.
 */
export const inlined = ({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): string =>
  sql.replaceAll(/\$(\d+)/g, (_, position: string) => literal(parameters[Number(position) - 1]))

const literal = (value: unknown): string => {
  if (value === null) return 'null'
  return typeof value === 'number' && Number.isFinite(value) ? numeral(value) : pg.escapeLiteral(textOf(value))
}

/** In brackets: what stands before it may be a minus, and two of them begin a comment. */
const numeral = (value: number): string => `(${value})`

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return `{${value.map(elementOf).join(',')}}`
  if (value instanceof Date) return timeOf(value)
  if (typeof value === 'string' || typeof value === 'boolean') return String(value)
  throw new Error(`A parameter of type ${typeof value} cannot be written into a statement.`)
}

/** RFC 3339 where that has a form for it. The database writes later years without a sign, and those before the year 1 with an era. */
const timeOf = (time: Date): string => {
  const [year = '', rest = ''] = time.toISOString().split(/(?<=\d)-(.*)/s)
  const number = Number(year)
  return number > 0 ? `${fourDigits(number)}-${rest}` : `${fourDigits(1 - number)}-${rest} BC`
}
const fourDigits = (year: number): string => String(year).padStart(4, '0')

/** An element of an array literal (PostgreSQL manual, "Array Input and Output Syntax"). */
const elementOf = (value: unknown): string => {
  if (value === null) return 'null'
  const text = typeof value === 'number' ? String(value) : textOf(value)
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
