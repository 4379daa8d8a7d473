import { sql, type RawBuilder } from 'kysely'
import { invalidField, type AppError } from '../errors.ts'
import type { Order } from './define-list.ts'
import type { Condition } from './filters.ts'

/** The last row of a page: its place in the order of the list, as the database writes it. */
export interface Position {
  readonly value: string
  readonly key: string
}

/** A cursor is the ordering and the last row's place in it. Clients send it back as it is. */
export const writeCursor = (ordering: string, { value, key }: Position): string =>
  Buffer.from(JSON.stringify([ordering, value, key])).toString('base64url')

/** @throws AppError 400 when the cursor is none of this ordering. */
export const readCursor = (ordering: string, cursor: string): Position => {
  const [of, value, key] = partsOf(cursor)
  if (typeof value !== 'string' || typeof key !== 'string') throw notACursor()
  if (of !== ordering) throw invalidField('cursor', `This cursor is of \`ordering=${String(of)}\`.`)
  return { value, key }
}

export const notACursor = (): AppError => invalidField('cursor', 'Expected a cursor as `Link` has it.')

/** The rows that follow a position. Values that the database cannot read are its data errors. */
export const follows = ({ column, direction }: Order, key: RawBuilder<unknown>, last: Position): Condition => {
  const beyond = direction === 'asc' ? sql`>` : sql`<`
  // Ordered by the key alone, an index of the key alone finds them.
  return column === key
    ? sql<boolean>`${key} ${beyond} ${last.key}`
    : sql<boolean>`(${column}, ${key}) ${beyond} (${last.value}, ${last.key})`
}

const partsOf = (cursor: string): readonly unknown[] => {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}
