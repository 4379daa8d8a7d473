import { createHash } from 'node:crypto'

const names = new Map<string, string>()

/**
 * Registers a hot statement: PostgreSQL connections prepare it once and then send only its name.
 * Use it for statements with a fixed text; a name for every text would fill the server's memory.
 * @returns the same text, for use with `sql.raw` or `CompiledQuery.raw`.
 */
export const prepared = (text: string): string => {
  names.set(text, `waybill_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`)
  return text
}

/** The name a statement was registered under, if it was. */
export const preparedName = (text: string): string | undefined => names.get(text)
