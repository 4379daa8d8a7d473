import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from '#platform/db/database.ts'
import { finish, type Finished } from './queue.ts'

export interface FinisherOptions {
  readonly db: Db
  readonly log: Logger
  /** Whether many attempts are in flight: then it is worth waiting a moment for more ends to share the statement. */
  readonly isBusy: () => boolean
  /** Ends that were written. */
  readonly onWritten: (ended: readonly Finished[]) => void
}

const mostAtOnce = 500
const busyWaitMs = 10
const errorWaitMs = 500

/**
 * Collects the ends of attempts and writes them many at a time. Only one statement runs at once: what
 * ends meanwhile makes up the next batch, so batches grow with the load by themselves. When the
 * database does not answer, ends are kept and tried again: at worst their leases run out and the
 * deliveries go out once more.
 */
export class Finisher {
  readonly #options: FinisherOptions
  readonly #waiting: Finished[] = []
  #writing: Promise<void> | undefined

  constructor(options: FinisherOptions) {
    this.#options = options
  }

  add(ended: Finished): void {
    this.#waiting.push(ended)
    this.#writing ??= this.#writeAll()
  }

  /** Resolves when everything added so far has been written. */
  async flush(): Promise<void> {
    await this.#writing
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (this.#options.isBusy() && this.#waiting.length < mostAtOnce / 2) await sleep(busyWaitMs)
      await this.#write(this.#waiting.splice(0, mostAtOnce))
    }
    this.#writing = undefined
  }

  async #write(batch: readonly Finished[]): Promise<void> {
    const { db, log, onWritten } = this.#options
    try {
      const ours = await finish(db, batch)
      const lost = batch.filter(({ id }) => !ours.has(id))
      for (const { id } of lost) log.warn({ delivery: id }, 'delivery.lease_lost')
      onWritten(batch)
    } catch (error) {
      log.error({ err: error, count: batch.length }, 'delivery.finish_failed')
      this.#waiting.unshift(...batch)
      await sleep(errorWaitMs)
    }
  }
}
