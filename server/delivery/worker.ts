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
import { Schedule } from './schedule.ts'
import type { Wake } from './wake.ts'

export interface WorkerDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
  readonly wake: Wake
  readonly receivers: Receivers
  readonly attempts: AttemptDeps
  /** After a receiver refused our credential. */
  readonly signInRefused: (subscriptionId: number) => void
  readonly metrics: DeliveryMetrics
  /** Deliveries in flight at once. */
  readonly capacity: number
}

/** How often the worker looks for itself: finds what a lost notice, a dead process or a restart left behind. */
const lookEveryMs = 5_000
/** What is due later than this is left to a later look. */
const horizonMs = 2 * lookEveryMs
const errorWaitMs = 500
/** Time that attempts in flight have to end after a stop was asked for (contract, section 10). */
const drainMs = 10_000
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
    const late = sleep(drainMs, 'late' as const, { ref: false })
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
    for (const want of wants) this.#schedule.claimed(want, got.get(want.subscriptionId) ?? 0)
    await receivers.load(claims)
    for (const claimed of claims) this.#run(claimed, claimedAt)
  }

  #run(claimed: Claimed, claimedAt: number): void {
    const run = this.#deliver(claimed, claimedAt).catch((error: unknown) => {
      // The lease stays: it runs out, and the delivery is tried again.
      this.#deps.log.error({ err: error, delivery: claimed.id }, 'delivery.attempt_crashed')
      this.#schedule.ended(claimed.subscriptionId, false)
    })
    this.#running.add(run)
    void run.finally(() => this.#running.delete(run))
  }

  async #deliver(claimed: Claimed, claimedAt: number): Promise<void> {
    const { db, receivers, attempts } = this.#deps
    const receiver = receivers.get(claimed.subscriptionId)
    const canStart = receiver !== undefined && !this.#stopping
    const made: Attempted = canStart ? await attempt(attempts, receiver, claimed, claimedAt) : { made: false }
    if (made.made) return this.#ended(claimed, made)
    await release(db, [claimed])
    this.#schedule.ended(claimed.subscriptionId, false)
    this.#schedule.wake([claimed.subscriptionId])
  }

  async #ended(claimed: Claimed, { finished, settlement, result }: Extract<Attempted, { made: true }>): Promise<void> {
    const { db, log, signInRefused } = this.#deps
    const { subscriptionId, attempt: number } = claimed
    const { outcome, reason } = settlement
    log.debug({ delivery: claimed.id, subscriptionId, attempt: number, outcome, reason }, 'delivery.attempted')
    if (result.status === 401 || result.status === 403) signInRefused(subscriptionId)
    await applyToSubscription(db, subscriptionId, settlement)
    this.#finisher.add(finished)
    this.#schedule.ended(subscriptionId, result.reason === 'response')
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
