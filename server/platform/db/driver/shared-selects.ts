import type { CompiledQuery, QueryExecutorProvider, QueryResult, RawBuilder } from 'kysely'
import type pg from 'pg'
import { prepared } from '../prepared.ts'
import type { DatabaseClient } from './database-client.ts'

const rawSelects = new WeakSet<CompiledQuery>()

export const isSelect = (query: CompiledQuery): boolean =>
  query.query.kind === 'SelectQueryNode' || rawSelects.has(query)

/** Runs a select that is raw SQL; outside a transaction it may be sent together with others. */
export const select = async <Row>(db: QueryExecutorProvider, statement: RawBuilder<Row>): Promise<Row[]> => {
  const compiled = statement.compile(db)
  rawSelects.add(compiled)
  const { rows } = await db.getExecutor().executeQuery(compiled)
  return rows
}

/** Like `select`, of a text that is always the same and a plan that can be: it is prepared. */
export const preparedSelect = async <Row>(db: QueryExecutorProvider, statement: RawBuilder<Row>): Promise<Row[]> => {
  prepared(statement.compile(db).sql)
  return select(db, statement)
}

/** Batches at a time; more of them only makes each smaller. */
const maxBatches = 2
/** What takes longer keeps nobody else waiting: neither others of its batch, the next time, nor the next batches, this time. */
const smallMs = 20
const maxLong = 500

interface Waiting {
  readonly query: CompiledQuery
  readonly resolve: (result: QueryResult<unknown>) => void
  readonly reject: (error: unknown) => void
}

/**
 * Sends selects that come from many requests together: those that wait go out over one connection in one write, each a
 * transaction of its own, without waiting for each other's answers (PostgreSQL manual, "Pipelining"). A write wakes another
 * process, which costs more than a small select does. Nothing is remembered: each select is sent after it was asked for.
 */
export class SharedSelects {
  readonly #connect: () => Promise<pg.PoolClient>
  readonly #durable: (() => Promise<void>) | undefined
  #waiting: Waiting[] = []
  #isScheduled = false
  readonly #batches = new Set<object>()
  /**
   * Texts that took long the last time, and are sent alone until they are quick: the first time that a connection plans a
   * statement can take long as well, and so can whatever else this process does meanwhile.
   */
  readonly #long = new Set<string>()

  /** @param durable when given, answers are held back until the connection was given back and this resolved. */
  constructor(connect: () => Promise<pg.PoolClient>, durable?: () => Promise<void>) {
    this.#connect = connect
    this.#durable = durable
  }

  run(query: CompiledQuery): Promise<QueryResult<unknown>> {
    return new Promise((resolve, reject) => {
      const asked = { query, resolve, reject }
      if (this.#long.has(query.sql)) {
        void this.#send([asked])
        return
      }
      this.#waiting.push(asked)
      this.#schedule()
    })
  }

  /** Requests that can be read now are read before the next batch is sent. */
  #schedule(): void {
    if (this.#isScheduled || this.#batches.size >= maxBatches) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      if (this.#waiting.length > 0) void this.#sendBatch(this.#waiting.splice(0))
    })
  }

  async #sendBatch(batch: readonly Waiting[]): Promise<void> {
    const place = {}
    const leave = (): void => {
      if (this.#batches.delete(place) && this.#waiting.length > 0) this.#schedule()
    }
    this.#batches.add(place)
    const timer = setTimeout(leave, smallMs)
    await this.#send(batch)
    clearTimeout(timer)
    leave()
  }

  async #send(batch: readonly Waiting[]): Promise<void> {
    try {
      const client = (await this.#connect()) as pg.PoolClient & DatabaseClient
      const released = Promise.withResolvers<void>()
      const held = this.#durable === undefined ? undefined : released.promise.then(this.#durable)
      held?.catch(() => undefined)
      let lastAt = performance.now()
      const answer = async ({ query, resolve, reject }: Waiting): Promise<void> => {
        const asked = client.query(query.sql, [...query.parameters]).finally(() => {
          const now = performance.now()
          this.#note(query.sql, now - lastAt)
          lastAt = now
        })
        try {
          const { rows } = await asked
          if (held === undefined) resolve({ rows })
          else held.then(() => resolve({ rows }), reject)
        } catch (error) {
          reject(error)
        }
      }
      await Promise.all(batch.map(answer))
      client.release()
      released.resolve()
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  #note(sql: string, ms: number): void {
    if (this.#long.size >= maxLong) this.#long.clear()
    if (ms > smallMs) this.#long.add(sql)
    else this.#long.delete(sql)
  }
}
