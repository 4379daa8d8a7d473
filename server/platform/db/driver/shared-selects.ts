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
const forgetAfterMs = 60_000
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
  /** Texts that took long → until when they are sent alone. */
  readonly #long = new Map<string, number>()

  /** @param durable when given, answers are held back until the connection was given back and this resolved. */
  constructor(connect: () => Promise<pg.PoolClient>, durable?: () => Promise<void>) {
    this.#connect = connect
    this.#durable = durable
  }

  /** Whether a select is sent with others. */
  isSmall({ sql }: CompiledQuery): boolean {
    const until = this.#long.get(sql)
    return until === undefined || until < performance.now()
  }

  run(query: CompiledQuery): Promise<QueryResult<unknown>> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ query, resolve, reject })
      this.#schedule()
    })
  }

  /** Requests that can be read now are read before the next batch is sent. */
  #schedule(): void {
    if (this.#isScheduled || this.#batches.size >= maxBatches) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      if (this.#waiting.length > 0) void this.#send(this.#waiting.splice(0))
    })
  }

  async #send(batch: readonly Waiting[]): Promise<void> {
    const place = {}
    const leave = (): void => {
      if (this.#batches.delete(place) && this.#waiting.length > 0) this.#schedule()
    }
    this.#batches.add(place)
    const timer = setTimeout(leave, smallMs)
    try {
      const client = (await this.#connect()) as pg.PoolClient & DatabaseClient
      const released = Promise.withResolvers<void>()
      const held = this.#durable === undefined ? undefined : released.promise.then(this.#durable)
      held?.catch(() => undefined)
      let lastAt = performance.now()
      const answer = async ({ query, resolve, reject }: Waiting): Promise<void> => {
        const asked = client.query(query.sql, [...query.parameters]).finally(() => {
          const now = performance.now()
          if (now - lastAt > smallMs) this.#noteLong(query.sql, now)
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
    } finally {
      clearTimeout(timer)
      leave()
    }
  }

  #noteLong(sql: string, now: number): void {
    if (this.#long.size >= maxLong) this.#long.clear()
    this.#long.set(sql, now + forgetAfterMs)
  }
}
