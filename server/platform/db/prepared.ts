import { createHash } from 'node:crypto'
import type { CompiledQuery } from 'kysely'

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

/** As often as PostgreSQL's own driver for Java sees a text before it prepares it (`prepareThreshold`). */
const usesBefore = 5
/** Each takes tens of kilobytes in every connection that runs it. */
const maxPreparedByUse = 250
const maxCounted = 2_000
/**
 * Registers statements of one pool that come again and again. Not those whose plan should follow the values of the moment,
 * such as one that stops at a limit, which a filter may or may not reach soon; and not those of all columns, which fail
 * once another process has added one.
 */
export class PreparedByUse {
  readonly #uses = new Map<string, number>()
  #prepared = 0

  note({ sql, parameters, query }: CompiledQuery): void {
    if (names.has(sql) || this.#prepared >= maxPreparedByUse || /(select |returning |"\.)\*/.test(sql)) return
    const isPlannedByValues = query.kind === 'RawNode' || ('limit' in query && query.limit !== undefined)
    if (isPlannedByValues && parameters.length > 0) return
    const count = (this.#uses.get(sql) ?? 0) + 1
    if (this.#uses.size >= maxCounted) this.#uses.clear()
    this.#uses.set(sql, count)
    if (count < usesBefore) return
    this.#uses.delete(sql)
    prepared(sql)
    this.#prepared++
  }
}
