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
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'string' || typeof value === 'boolean') return String(value)
  throw new Error(`A parameter of type ${typeof value} cannot be written into a statement.`)
}

/** An element of an array literal (PostgreSQL manual, "Array Input and Output Syntax"). */
const elementOf = (value: unknown): string => {
  if (value === null) return 'null'
  const text = typeof value === 'number' ? String(value) : textOf(value)
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
