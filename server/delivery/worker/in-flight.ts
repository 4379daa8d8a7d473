import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from '#platform/db/database.ts'
import { attempt, hasLeaseLeft, type AttemptDeps, type Attempted } from '../attempt/attempt.ts'
import type { Claimed } from '../queue/claim.ts'
import type { Finisher } from './finisher.ts'
import type { HealthRules } from '../health/health.ts'
import { release } from '../queue/queue.ts'
import type { SendResult } from '../outbound/sender.ts'
import type { Receivers } from '../attempt/receivers.ts'
import type { Receiver } from '../attempt/request-headers.ts'
import type { Schedule } from './schedule.ts'
import type { Slots } from './slots.ts'

export interface InFlightDeps {
  /**
   * For results of attempts, and claims that are given back: a result that is lost repeats its delivery, and the claim that
   * began the attempt, which is not lost, says why.
   */
  readonly unsynced: Db
  readonly log: Logger
  readonly receivers: Receivers
  readonly attempts: AttemptDeps
  readonly health: Pick<HealthRules, 'failingAfter'>
}

/** An exchange that has lasted this long is waiting for the receiver, and needs nothing of ours. */
const slowAfterMs = 1_000
/** Exchanges that are begun without letting anything else run. */
const startAtOnce = 16
/** Subscriptions that one line of the log names. */
const maxNamed = 20
/** Answers that ask to be sent less at once (Standard Webhooks 1.0, operational considerations). */
const asksForLess: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** A broker that refuses a message has answered in time, as a receiver with 404 has. */
const hasAnswered = ({ reason }: SendResult): boolean =>
  reason === 'response' || reason === 'accepted' || reason === 'broker_refused'

interface Started {
  readonly claimed: Claimed
  /** By `performance.now()`. */
  readonly claimedAt: number
  /** Missing where it cannot be read. */
  readonly receiver: Receiver | undefined
}

/** Deliveries from their claim until their slot is free: attempt, and hand the result to the finisher. */
export class InFlight {
  readonly #deps: InFlightDeps
  readonly #slots: Slots
  readonly #schedule: Schedule
  readonly #finisher: Finisher
  readonly #running = new Set<Promise<void>>()
  #stopping = false

  constructor(deps: InFlightDeps, slots: Slots, schedule: Schedule, finisher: Finisher) {
    this.#deps = deps
    this.#slots = slots
    this.#schedule = schedule
    this.#finisher = finisher
  }

  /** Begins the attempts of claims whose receivers are loaded. */
  begin(claims: readonly Claimed[], claimedAt: number): void {
    if (claims.length === 0) return
    const { receivers } = this.#deps
    // Looked up before anything else runs: another claim may need the room among the receivers.
    const all = claims.map((claimed) => ({ claimed, claimedAt, receiver: receivers.get(claimed.subscriptionId) }))
    this.#track(this.#startAll(all))
  }

  /** Loads their receivers, and begins the attempts. */
  takeOver(claims: readonly Claimed[], claimedAt: number): void {
    if (claims.length > 0) this.#track(this.#loadAndBegin(claims, claimedAt))
  }

  /** From now on claims are given back instead of attempted. */
  stop(): void {
    this.#stopping = true
  }

  /** Resolves when nothing is in flight. */
  async drain(): Promise<void> {
    // What is taken over adds exchanges of its own.
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  #track(work: Promise<void>): void {
    this.#running.add(work)
    void work.finally(() => this.#running.delete(work))
  }

  async #loadAndBegin(claims: readonly Claimed[], claimedAt: number): Promise<void> {
    const { log, receivers } = this.#deps
    try {
      await receivers.load(claims)
      this.begin(claims, claimedAt)
    } catch (error) {
      // Their leases run out, and they are claimed.
      const subscriptionIds = [...new Set(claims.map(({ subscriptionId }) => subscriptionId))].slice(0, maxNamed)
      log.error({ err: error, count: claims.length, subscriptionIds }, 'delivery.take_over_failed')
      for (const { subscriptionId, lane } of claims) this.#slots.complete(subscriptionId, lane, false)
    }
  }

  async #startAll(all: readonly Started[]): Promise<void> {
    const batch = new Set(all.map(({ claimed }) => claimed))
    for (const [index, started] of all.entries()) {
      // Signing and sending many at once would keep everything else in this process waiting for as long.
      if (index % startAtOnce === startAtOnce - 1) await nextTurn()
      this.#track(this.#run(started, batch))
    }
    setTimeout(() => this.#slowed(batch), slowAfterMs).unref()
  }

  /** What is left of a batch is slow, and stays in the set only as long as it is not known to be. */
  #slowed(batch: Set<Claimed>): void {
    for (const { subscriptionId, lane } of batch) this.#slots.slowed(subscriptionId, lane)
    batch.clear()
  }

  async #run(started: Started, batch: Set<Claimed>): Promise<void> {
    const { claimed } = started
    let inTime = false
    try {
      inTime = await this.#deliver(started)
    } catch (error) {
      // The lease stays: it runs out, and the delivery is tried again.
      const { id, subscriptionId, attempt: number } = claimed
      this.#deps.log.error({ err: error, delivery: id, subscriptionId, attempt: number }, 'delivery.attempt_crashed')
    }
    this.#slots.complete(claimed.subscriptionId, claimed.lane, inTime, !batch.delete(claimed))
  }

  /** @returns whether the receiver answered in time. */
  async #deliver({ claimed, claimedAt, receiver }: Started): Promise<boolean> {
    const { unsynced, attempts } = this.#deps
    const { subscriptionId, lane } = claimed
    // Given back it would be claimed again at once: it waits until its lease runs out.
    if (receiver === undefined) throw new Error(`Subscription ${subscriptionId} cannot be read.`)
    const mayStart = (): boolean => hasLeaseLeft(claimedAt) && !this.#slots.isPausedSince(subscriptionId, claimedAt)
    const made: Attempted = this.#stopping ? { made: false } : await attempt(attempts, receiver, claimed, mayStart)
    if (made.made) return this.#complete(claimed, made)
    await release(unsynced, [claimed])
    if (!this.#slots.isPausedSince(subscriptionId, claimedAt)) this.#schedule.wake([subscriptionId], lane)
    return false
  }

  async #complete(
    { version, isTroubled, isHead }: Claimed,
    { attemptResult, settlement, result }: Extract<Attempted, { made: true }>,
  ): Promise<boolean> {
    const { log, health } = this.#deps
    const { id, subscriptionId, attempt: number, reason, outcome } = attemptResult
    log.debug({ delivery: id, subscriptionId, attempt: number, outcome, reason }, 'delivery.attempted')
    if (settlement.status === 'failed')
      log.warn({ delivery: id, subscriptionId, attempt: number, reason }, 'delivery.failed')
    const streak = this.#slots.counted(subscriptionId, settlement.outcome === 'delivered')
    this.#schedule.unwritten()
    const written = this.#finisher
      .write({ attemptResult, settlement, version, isTroubled }, isHead)
      .then(() => this.#schedule.written())
    if (settlement.disable || settlement.holdUntil !== null || streak >= health.failingAfter) {
      this.#slots.pause(subscriptionId)
      // Its slot stays taken until the database knows that nothing more may be claimed.
      await written
    }
    return hasAnswered(result) && !asksForLess.has(result.status ?? 0)
  }
}
