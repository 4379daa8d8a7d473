import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from '#platform/db/database.ts'
import { isDataError } from '#platform/db/sql-errors.ts'
import { makeLoop, type Loop } from '#platform/loop.ts'
import { finish, type AttemptResult } from '../queue/finish.ts'
import { observe, type SettledAttempt } from './observe.ts'
import type { Recorded, RecordHealth } from '../health/record-health.ts'

export interface FinisherOptions {
  readonly db: Db
  readonly log: Logger
  readonly recordHealth: RecordHealth
  /** So many results, or 250, are written without waiting for others. */
  readonly enough: number
  /** Results that were written, the subscriptions whose health they were about, and whether deliveries may wait for some. */
  readonly onWritten: (results: readonly AttemptResult[], recorded: readonly Recorded[], hasHeads: boolean) => void
}

const maxAtOnce = 500
/** Characters of answers in one statement; each answer has at most 65,536. */
const maxCharacters = 8_000_000
/**
 * How long a result waits for others to share its statement, unless there are enough: a crash in this time repeats its
 * delivery. At 100 events a second 25 ms cost 0.4 ms of processor time more for each.
 */
const companyWaitMs = 100
/** A result that comes later than this after the last write is written at once: nobody is to be expected. */
const quietMs = 100
const errorWaitMs = 500

/**
 * Collects attempt results and writes them many at a time. Only one statement runs at once: results of meanwhile make up
 * the next batch, so batches grow with the load. When the database does not answer, results are kept and tried again: at
 * worst their leases run out and the deliveries go out once more.
 */
export class Finisher {
  readonly #options: FinisherOptions
  readonly #waiting: SettledAttempt[] = []
  readonly #awaited = new Map<SettledAttempt, () => void>()
  readonly #loop: Loop
  readonly #enough: number
  #wroteAt = -Infinity
  #isUrgent = false
  #endWait = (): void => undefined

  constructor(options: FinisherOptions) {
    this.#options = options
    this.#enough = Math.min(options.enough, maxAtOnce / 2)
    this.#loop = makeLoop({ name: 'finisher', log: options.log, run: () => this.#writeAll() })
    void this.#loop.start()
  }

  /**
   * Resolves when this result has been written, or never will be.
   * @param isHead with order: the next of its object goes when this is written, so it waits for no company.
   */
  write(attempt: SettledAttempt, isHead: boolean | null = false): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#awaited.set(attempt, resolve)
    this.#waiting.push(attempt)
    this.#isUrgent ||= isHead === true
    if (this.#isUrgent || this.#waiting.length >= this.#enough) this.#endWait()
    this.#loop.kick()
    return promise
  }

  /** Resolves when everything added so far has been written. */
  flush(): Promise<void> {
    return this.#loop.idle()
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const isQuiet = performance.now() - this.#wroteAt > quietMs
      if (!isQuiet && !this.#isUrgent && this.#waiting.length < this.#enough) await this.#wait()
      this.#isUrgent = false
      await this.#write(this.#waiting.splice(0, this.#batchSize()))
      this.#wroteAt = performance.now()
    }
  }

  async #wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, companyWaitMs)
    this.#endWait = resolve
    await promise
    clearTimeout(timer)
  }

  #batchSize(): number {
    let characters = 0
    const end = this.#waiting.findIndex(({ attemptResult }, index) => {
      characters += attemptResult.responseBody?.length ?? 0
      return index >= maxAtOnce || (index > 0 && characters > maxCharacters)
    })
    return end === -1 ? this.#waiting.length : end
  }

  async #write(batch: readonly SettledAttempt[]): Promise<void> {
    const { db, log, recordHealth, onWritten } = this.#options
    try {
      const recorded = await recordHealth(observe(batch))
      const results = batch.map(({ attemptResult }) => attemptResult)
      const { ours, hasHeads } = await finish(db, results)
      for (const { id, subscriptionId } of results)
        if (!ours.has(id)) log.warn({ delivery: id, subscriptionId, reason: 'lease_ended' }, 'delivery.lease_lost')
      onWritten(results, recorded, hasHeads)
      this.#settle(batch)
    } catch (error) {
      log.error({ err: error, count: batch.length }, 'delivery.finish_failed')
      if (isDataError(error)) return this.#writeApart(batch)
      this.#waiting.unshift(...batch)
      await sleep(errorWaitMs)
    }
  }

  /** Something in the batch cannot be stored. Found by halving; that one is written without what the receiver sent. */
  async #writeApart(batch: readonly SettledAttempt[]): Promise<void> {
    const [first] = batch
    if (first === undefined) return
    if (batch.length > 1) {
      const middle = Math.ceil(batch.length / 2)
      await this.#write(batch.slice(0, middle))
      return this.#write(batch.slice(middle))
    }
    const { responseHeaders, responseBody, id, subscriptionId } = first.attemptResult
    if (responseHeaders === null && responseBody === null) {
      // Its lease runs out, and it is delivered again.
      this.#options.log.error({ delivery: id, subscriptionId, reason: 'not_storable' }, 'delivery.end_refused')
      return this.#settle(batch)
    }
    const attemptResult = { ...first.attemptResult, requestHeaders: null, responseHeaders: null, responseBody: null }
    await this.#write([{ ...first, attemptResult }])
    this.#settle(batch)
  }

  #settle(batch: readonly SettledAttempt[]): void {
    for (const attempt of batch) {
      this.#awaited.get(attempt)?.()
      this.#awaited.delete(attempt)
    }
  }
}
