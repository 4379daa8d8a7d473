import type { Duplex } from 'node:stream'
import pg from 'pg'
import { asUnavailable } from '../database-unavailable.ts'
import { preparedName } from '../prepared.ts'
import { columnNames } from './snake-case.ts'

export interface ClientSettings extends pg.ClientConfig {
  /** How long an answer may take before the connection is taken for dead; without it any time. */
  readonly answerTimeoutMs?: number
}

/** SQLSTATE read_only_sql_transaction. */
const onlyReads = '25006'

/**
 * A connection that sends the statements registered as hot by name, so the database parses each once, that names columns
 * as TypeScript does, and that does not wait for ever: when the network swallows what is sent, nobody ever says so.
 */
export class DatabaseClient extends pg.Client {
  /** Without limit while statements run of which nobody knows how long they take. */
  answerTimeoutMs: number | undefined

  constructor(settings?: string | ClientSettings) {
    super(settings)
    this.answerTimeoutMs = typeof settings === 'object' ? settings.answerTimeoutMs : undefined
    // Before the client reads it: columns are named once for each answer, not once for each row.
    this.#connection.on('rowDescription', ({ fields }) => {
      for (const field of fields) field.name = columnNames.inTypeScript(field.name)
    })
  }

  override query = ((text: unknown, values?: unknown, ...rest: unknown[]): unknown => {
    const name = typeof text === 'string' ? preparedName(text) : undefined
    const query = name === undefined ? text : { name, text }
    // One that reads its answer itself is refused where others can be on their way.
    Object.assign(this, { pipeline: !isSubmittable(query) })
    // What is asked within one turn of the event loop is written at once.
    const { stream } = this.#connection
    stream.cork()
    process.nextTick(() => stream.uncork())
    const isCalledBack = [values, ...rest].some((argument) => typeof argument === 'function')
    return isCalledBack || isSubmittable(query)
      ? Reflect.apply(super.query, this, [query, values, ...rest])
      : this.#answerTo(query, values)
  }) as pg.Client['query']

  /**
   * Asked with a callback: of the promises that the client makes itself, each keeps the one before it, and all their rows,
   * from the young collections of garbage, so that these take 8 ms instead of half a millisecond.
   */
  #answerTo(query: unknown, values: unknown): Promise<unknown> {
    const limit = this.answerTimeoutMs
    const timer =
      limit === undefined ? undefined : setTimeout(() => this.breakOff(`no answer within ${limit / 1_000} s`), limit)
    return new Promise((resolve, reject) => {
      const done = (error: unknown, result: unknown): void => {
        clearTimeout(timer)
        if (error === null || error === undefined) {
          resolve(result)
          return
        }
        reject(asUnavailable(error))
        // The server behind the address may be another one by now: a primary that became a standby keeps its connections.
        if ((error as { code?: string }).code === onlyReads) this.breakOff('the database only reads')
      }
      Reflect.apply(super.query, this, [query, values, done])
    })
  }

  /** Closes it at once. The client rejects what waits for an answer, and the pool takes another connection. */
  breakOff(reason: string): void {
    this.#connection.stream.destroy(new Error(`Connection terminated: ${reason}`))
  }

  get #connection(): Connection {
    return (this as unknown as { readonly connection: Connection }).connection
  }
}

interface Connection {
  readonly stream: Duplex
  readonly on: (event: 'rowDescription', listener: (message: { readonly fields: { name: string }[] }) => void) => void
}

/** A query that reads its answer itself, such as a COPY. */
const isSubmittable = (query: unknown): boolean =>
  typeof query === 'object' && query !== null && 'submit' in query && typeof query.submit === 'function'
