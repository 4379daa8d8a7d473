import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import type { Service } from '#platform/supervisor.ts'
import { attempt, type AttemptDeps, type Attempted } from './attempt.ts'
import { applyToSubscription } from './consequences.ts'
import { Finisher } from './finisher.ts'
import type { DeliveryMetrics } from './metrics.ts'
import { cancelOrphans, claim, nextDue, release, type Claimed, type Finished, type Want } from './queue.ts'
import type { Receivers } from './receivers.ts'
import type { Receiver } from './request-headers.ts'
import { Schedule } from './schedule.ts'
import type { Wake } from './wake.ts'

export interface WorkerDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
  readonly wake: Wake
  readonly receivers: Receivers
  readonly attempts: AttemptDeps
  readonly metrics: DeliveryMetrics
  /** Deliveries in flight at once. */
  readonly capacity: number
  /** Time that attempts in flight have to end after a stop was asked for; 10 s by contract, section 10. */
  readonly drainMs?: number
}

/** How often the worker looks for itself: finds what a lost notice, a dead process or a restart left behind. */
const lookEveryMs = 5_000
/** What is due later than this is left to a later look. */
const horizonMs = 2 * lookEveryMs
const errorWaitMs = 500
const drainMs = 10_000
/** An exchange that has lasted this long is waiting for the receiver, and needs nothing of ours. */
const slowAfterMs = 1_000
/** With more than this in flight, ends come fast enough to be worth collecting. */
const busyInFlight = 32

/** The loop that delivers: look, claim, attempt, finish. Any number of processes may run it on one database. */
export class Worker implements Service {
  readonly name = 'delivery worker'
  readonly #deps: WorkerDeps
  readonly #schedule: Schedule
  readonly #finisher: Finisher
  readonly #running = new Set<Promise<void>>()
  #isClaiming = false
  #claiming: Promise<void> | undefined
  #looking: NodeJS.Timeout | undefined
  #lookedAt = -Infinity
  #stopping = false

  constructor(deps: WorkerDeps) {
    const { db, log, capacity } = deps
    this.#deps = deps
    this.#schedule = new Schedule({ capacity, onReady: () => this.#claimSoon() })
    this.#finisher = new Finisher({
      db,
      log,
      isBusy: () => this.#schedule.inFlight > busyInFlight,
      onWritten: (ended) => this.#written(ended),
    })
  }

  async start(): Promise<void> {
    this.#deps.wake.onWake((ids) => {
      if (ids === null) void this.#look()
      else this.#schedule.wake(ids)
    })
    await this.#look()
  }

  /** Stops claiming, gives attempts in flight 10 s to end, cuts off the rest, and writes every end. */
  async stop(): Promise<void> {
    this.#stopping = true
    clearTimeout(this.#looking)
    this.#schedule.stop()
    await this.#claiming
    const drained = Promise.all(this.#running)
    const late = sleep(this.#deps.drainMs ?? drainMs, 'late' as const, { ref: false })
    if ((await Promise.race([drained, late])) === 'late') this.#deps.attempts.sender.abort()
    await drained
    await this.#finisher.flush()
  }

  /** Whether the worker got through to the database within the last looks. */
  isLooking(): boolean {
    return performance.now() - this.#lookedAt < 4 * lookEveryMs
  }

  #claimSoon(): void {
    if (this.#stopping || this.#isClaiming) return
    this.#isClaiming = true
    this.#claiming = this.#claimAll()
  }

  async #claimAll(): Promise<void> {
    for (let wants = this.#schedule.take(); wants.length > 0; wants = this.#schedule.take()) {
      try {
        await this.#claim(wants)
      } catch (error) {
        this.#deps.log.error({ err: error }, 'delivery.claim_failed')
        await sleep(errorWaitMs)
        this.#schedule.wake(wants.map(({ subscriptionId }) => subscriptionId))
      }
      if (this.#stopping) break
    }
    // In the same tick as the last `take`, or a wake in between would be lost.
    this.#isClaiming = false
  }

  async #claim(wants: readonly Want[]): Promise<void> {
    const { db, clock, receivers } = this.#deps
    const claimedAt = performance.now()
    const claims = await claim(db, clock.now(), wants)
    const got = new Map<number, number>()
    for (const { subscriptionId } of claims) got.set(subscriptionId, (got.get(subscriptionId) ?? 0) + 1)
    // May fail; only what is started is counted as in flight.
    await receivers.load(claims)
    for (const want of wants) this.#schedule.claimed(want, got.get(want.subscriptionId) ?? 0)
    const batch = new Set(claims)
    for (const claimed of claims) {
      const run = this.#run(claimed, claimedAt, batch)
      this.#running.add(run)
      void run.finally(() => this.#running.delete(run))
    }
    if (claims.length > 0) setTimeout(() => this.#slowed(batch), slowAfterMs).unref()
  }

  /** What is left of a batch is slow, and stays in the set only as long as it is not known to be. */
  #slowed(batch: Set<Claimed>): void {
    for (const claimed of batch) this.#schedule.slowed(claimed.subscriptionId)
    batch.clear()
  }

  async #run(claimed: Claimed, claimedAt: number, batch: Set<Claimed>): Promise<void> {
    let inTime = false
    try {
      inTime = await this.#deliver(claimed, claimedAt)
    } catch (error) {
      // The lease stays: it runs out, and the delivery is tried again.
      this.#deps.log.error({ err: error, delivery: claimed.id }, 'delivery.attempt_crashed')
    }
    this.#schedule.ended(claimed.subscriptionId, inTime, !batch.delete(claimed))
  }

  /** @returns whether the receiver answered in time. */
  async #deliver(claimed: Claimed, claimedAt: number): Promise<boolean> {
    const { db, receivers, attempts } = this.#deps
    const receiver = receivers.get(claimed.subscriptionId)
    // Given back it would be claimed again at once: it waits until its lease runs out.
    if (receiver === undefined) throw new Error(`Subscription ${claimed.subscriptionId} cannot be read.`)
    const made: Attempted = this.#stopping ? { made: false } : await attempt(attempts, receiver, claimed, claimedAt)
    if (made.made) return this.#ended(receiver, made)
    await release(db, [claimed])
    this.#schedule.wake([claimed.subscriptionId])
    return false
  }

  async #ended(
    receiver: Receiver,
    { finished, settlement, result }: Extract<Attempted, { made: true }>,
  ): Promise<boolean> {
    const { db, log } = this.#deps
    const { id, subscriptionId, attempt: number } = finished
    const { outcome, reason } = settlement
    log.debug({ delivery: id, subscriptionId, attempt: number, outcome, reason }, 'delivery.attempted')
    if (settlement.status === 'failed')
      log.warn({ delivery: id, subscriptionId, attempt: number, reason }, 'delivery.failed')
    if (settlement.disable) log.warn({ subscriptionId, reason }, 'subscription.disabled')
    await applyToSubscription(db, receiver, settlement)
    this.#finisher.add(finished)
    return result.reason === 'response'
  }

  #written(ended: readonly Finished[]): void {
    this.#deps.metrics.written(ended)
    const now = this.#deps.clock.now()
    for (const { subscriptionId, nextAttemptAt } of ended) {
      // Not before it is written: until then the row is still leased, and a wait of zero would find nothing.
      if (nextAttemptAt !== null) this.#schedule.wakeAt(subscriptionId, nextAttemptAt, now)
    }
  }

  async #look(): Promise<void> {
    const { db, clock, log } = this.#deps
    clearTimeout(this.#looking)
    try {
      const now = clock.now()
      for (const { subscriptionId, dueAt } of await nextDue(db)) {
        if (dueAt <= now) this.#schedule.wake([subscriptionId])
        else if (dueAt.getTime() - now.getTime() < horizonMs) this.#schedule.wakeAt(subscriptionId, dueAt, now)
      }
      this.#lookedAt = performance.now()
      const cancelled = await cancelOrphans(db)
      if (cancelled > 0) log.info({ cancelled }, 'delivery.orphans_cancelled')
    } catch (error) {
      log.error({ err: error }, 'delivery.look_failed')
    }
    if (!this.#stopping) this.#looking = setTimeout(() => void this.#look(), lookEveryMs)
  }
}
