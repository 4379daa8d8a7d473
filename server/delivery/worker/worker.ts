import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { makeLoop, type Loop } from '#platform/loop.ts'
import type { Service } from '#platform/supervisor.ts'
import { attempt, hasLeaseLeft, type AttemptDeps, type Attempted } from '../attempt/attempt.ts'
import { makeClaimLoop } from './claim-loop.ts'
import { claim, type Claimed, type Want } from '../queue/claim.ts'
import type { AttemptResult } from '../queue/finish.ts'
import { Finisher } from './finisher.ts'
import type { HealthRules } from '../health/health.ts'
import type { AttemptMetrics } from './attempt-metrics.ts'
import { cancelOrphans, nextDue, release } from '../queue/queue.ts'
import type { Receivers } from '../attempt/receivers.ts'
import type { Receiver } from '../attempt/request-headers.ts'
import type { Recorded, RecordHealth } from '../health/record-health.ts'
import { Schedule } from './schedule.ts'
import type { Wake } from '../queue/wake.ts'

export interface WorkerDeps {
  readonly db: Db
  /**
   * For results of attempts, and claims that are given back: a result that is lost repeats its delivery, and the claim that
   * began the attempt, which is not lost, says why.
   */
  readonly unsynced: Db
  readonly clock: Clock
  readonly log: Logger
  readonly wake: Wake
  readonly receivers: Receivers
  readonly attempts: AttemptDeps
  readonly metrics: AttemptMetrics
  readonly recordHealth: RecordHealth
  readonly onWritten: (written: readonly AttemptResult[]) => void
  readonly health: Pick<HealthRules, 'failingAfter'>
  /** Deliveries in flight at once. */
  readonly capacity: number
  /** Time that attempts in flight have to end after a stop was asked for; 10 s by contract, section 10. */
  readonly drainMs?: number
}

/** How often the worker looks for itself: finds what a lost notice, a dead process or a restart left behind. */
const lookEveryMs = 5_000
/** What is due later than this is left to a later look. */
const horizonMs = 2 * lookEveryMs
const drainMs = 10_000
/** An exchange that has lasted this long is waiting for the receiver, and needs nothing of ours. */
const slowAfterMs = 1_000
/** Exchanges that are begun without letting anything else have its turn. */
const startAtOnce = 16
/** Answers that ask to be sent less at once (Standard Webhooks 1.0, operational considerations). */
const asksForLess: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** A claim on its way. */
interface Started {
  readonly claimed: Claimed
  /** By `performance.now()`. */
  readonly claimedAt: number
  /** Missing where it cannot be read. */
  readonly receiver: Receiver | undefined
}

/** The loop that delivers: look, claim, attempt, finish. Any number of processes may run it on one database. */
export class Worker implements Service {
  readonly name = 'delivery worker'
  readonly #deps: WorkerDeps
  readonly #schedule: Schedule
  readonly #finisher: Finisher
  readonly #running = new Set<Promise<void>>()
  readonly #claims: readonly Loop[]
  readonly #looks: Loop
  #lookedAt = -Infinity
  #started = false
  #stopping = false

  constructor(deps: WorkerDeps) {
    const { unsynced, log, capacity, recordHealth } = deps
    this.#deps = deps
    this.#schedule = new Schedule({ capacity, onReady: () => this.#claimSoon() })
    // Two at a time: who has nothing in flight need not wait for a claim of somebody with much due.
    this.#claims = [() => this.#schedule.takeIdle(), () => this.#schedule.take()].map((take) =>
      makeClaimLoop({
        log,
        take,
        isPolite: (wants) => this.#schedule.isPolite(wants),
        claim: (wants) => this.#claim(wants),
        onError: (error, wants) => this.#failed(error, wants),
      }),
    )
    this.#looks = makeLoop({ name: 'looks for deliveries', everyMs: lookEveryMs, log, run: () => this.#look() })
    this.#finisher = new Finisher({
      db: unsynced,
      log,
      recordHealth,
      onWritten: (results, recorded) => this.#written(results, recorded),
    })
  }

  async start(): Promise<void> {
    await Promise.all(this.#claims.map((loop) => loop.start()))
    this.#deps.wake.onWake((ids, lane) => {
      if (ids === null) this.#looks.kick()
      else this.#schedule.wake(ids, lane)
    })
    await this.#looks.start()
    await this.#looks.idle()
    this.#started = true
  }

  /** Stops claiming, gives attempts in flight 10 s to end, cuts off the rest, and writes every result. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#schedule.stop()
    await Promise.all([...this.#claims, this.#looks].map((loop) => loop.stop()))
    const drained = this.#drain()
    const late = sleep(this.#deps.drainMs ?? drainMs, 'late' as const, { ref: false })
    if ((await Promise.race([drained, late])) === 'late') this.#deps.attempts.sender.abort()
    await drained
    await this.#finisher.flush()
  }

  async #drain(): Promise<void> {
    // What is taken over adds exchanges of its own.
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** Whether the worker got through to the database within the last looks. */
  isLooking(): boolean {
    return performance.now() - this.#lookedAt < 4 * lookEveryMs
  }

  /** Room for new deliveries, for whoever makes them with a lease. */
  offer(subscriptionIds: readonly number[], events: number): readonly Want[] {
    return this.#started && !this.#stopping ? this.#schedule.offer(subscriptionIds, events) : []
  }

  /** Sends what was made with a lease. */
  settle(offer: readonly Want[], claims: readonly Claimed[], claimedAt: number): void {
    const got = Map.groupBy(claims, ({ subscriptionId }) => subscriptionId)
    for (const want of offer) this.#schedule.tookOver(want, got.get(want.subscriptionId)?.length ?? 0)
    if (claims.length > 0) this.#track(this.#takeOver(claims, claimedAt))
  }

  /** A stop waits for it. */
  #track(work: Promise<void>): void {
    this.#running.add(work)
    void work.finally(() => this.#running.delete(work))
  }

  async #takeOver(claims: readonly Claimed[], claimedAt: number): Promise<void> {
    const { log, receivers } = this.#deps
    try {
      await receivers.load(claims)
    } catch (error) {
      // Their leases run out, and they are claimed.
      log.error({ err: error, count: claims.length }, 'delivery.take_over_failed')
      for (const { subscriptionId, lane } of claims) this.#schedule.complete(subscriptionId, lane, false)
      return
    }
    await this.#startAll(
      claims.map((claimed) => ({ claimed, claimedAt, receiver: receivers.get(claimed.subscriptionId) })),
    )
  }

  #claimSoon(): void {
    for (const loop of this.#claims) loop.kick()
  }

  #failed(error: unknown, wants: readonly Want[]): void {
    this.#deps.log.error({ err: error }, 'delivery.claim_failed')
    for (const want of wants) {
      this.#schedule.claimed(want, 0)
      this.#schedule.wake([want.subscriptionId], want.lane)
    }
  }

  async #claim(wants: readonly Want[]): Promise<void> {
    const { db, clock, receivers } = this.#deps
    const claimedAt = performance.now()
    const now = clock.now()
    const claims = await claim(db, now, wants)
    // May fail; only what is started is counted as in flight.
    await receivers.load(claims)
    // Looked up before anything else has its turn: another claim may need the room.
    const receiverOf = new Map(claims.map(({ subscriptionId }) => [subscriptionId, receivers.get(subscriptionId)]))
    this.#claimed(wants, claims, now)
    // The next claim is made meanwhile, for what room there is left.
    const all = claims.map((claimed) => ({ claimed, claimedAt, receiver: receiverOf.get(claimed.subscriptionId) }))
    this.#track(this.#startAll(all))
  }

  async #startAll(all: readonly Started[]): Promise<void> {
    const batch = new Set(all.map(({ claimed }) => claimed))
    for (const [index, started] of all.entries()) {
      // Signing and sending many at once would keep everything else in this process waiting for as long.
      if (index % startAtOnce === startAtOnce - 1) await nextTurn()
      this.#track(this.#run(started, batch))
    }
    if (all.length > 0) setTimeout(() => this.#slowed(batch), slowAfterMs).unref()
  }

  #claimed(wants: readonly Want[], claims: readonly Claimed[], now: Date): void {
    const got = [new Map<number, number>(), new Map<number, number>()] as const
    for (const { subscriptionId, lane } of claims)
      got[lane].set(subscriptionId, (got[lane].get(subscriptionId) ?? 0) + 1)
    for (const want of wants) this.#schedule.claimed(want, got[want.lane].get(want.subscriptionId) ?? 0)
    for (const { subscriptionId, lane, nextTokenAt } of claims)
      if (nextTokenAt !== null) this.#schedule.wakeAt(subscriptionId, lane, nextTokenAt, now)
  }

  /** What is left of a batch is slow, and stays in the set only as long as it is not known to be. */
  #slowed(batch: Set<Claimed>): void {
    for (const { subscriptionId, lane } of batch) this.#schedule.slowed(subscriptionId, lane)
    batch.clear()
  }

  async #run(started: Started, batch: Set<Claimed>): Promise<void> {
    const { claimed } = started
    let inTime = false
    try {
      inTime = await this.#deliver(started)
    } catch (error) {
      // The lease stays: it runs out, and the delivery is tried again.
      this.#deps.log.error({ err: error, delivery: claimed.id }, 'delivery.attempt_crashed')
    }
    this.#schedule.complete(claimed.subscriptionId, claimed.lane, inTime, !batch.delete(claimed))
  }

  /** @returns whether the receiver answered in time. */
  async #deliver({ claimed, claimedAt, receiver }: Started): Promise<boolean> {
    const { unsynced, attempts } = this.#deps
    const { subscriptionId, lane } = claimed
    // Given back it would be claimed again at once: it waits until its lease runs out.
    if (receiver === undefined) throw new Error(`Subscription ${subscriptionId} cannot be read.`)
    const mayStart = (): boolean => hasLeaseLeft(claimedAt) && !this.#schedule.isPausedSince(subscriptionId, claimedAt)
    const made: Attempted = this.#stopping ? { made: false } : await attempt(attempts, receiver, claimed, mayStart)
    if (made.made) return this.#complete(claimed, made)
    await release(unsynced, [claimed])
    if (!this.#schedule.isPausedSince(subscriptionId, claimedAt)) this.#schedule.wake([subscriptionId], lane)
    return false
  }

  async #complete(
    { version, isTroubled }: Claimed,
    { attemptResult, settlement, result }: Extract<Attempted, { made: true }>,
  ): Promise<boolean> {
    const { log } = this.#deps
    const { id, subscriptionId, attempt: number, reason } = attemptResult
    log.debug(
      { delivery: id, subscriptionId, attempt: number, outcome: attemptResult.outcome, reason },
      'delivery.attempted',
    )
    if (settlement.status === 'failed')
      log.warn({ delivery: id, subscriptionId, attempt: number, reason }, 'delivery.failed')
    const streak = this.#schedule.counted(subscriptionId, settlement.outcome === 'delivered')
    this.#schedule.unwritten()
    const written = this.#finisher
      .write({ attemptResult, settlement, version, isTroubled })
      .then(() => this.#schedule.written())
    if (settlement.disable || settlement.holdUntil !== null || streak >= this.#deps.health.failingAfter) {
      this.#schedule.pause(subscriptionId)
      // Its slot stays taken until the database knows that nothing more may be claimed.
      await written
    }
    return result.reason === 'response' && !asksForLess.has(result.status ?? 0)
  }

  #written(results: readonly AttemptResult[], recorded: readonly Recorded[]): void {
    this.#deps.metrics.written(results)
    this.#deps.onWritten(results)
    const now = this.#deps.clock.now()
    for (const { subscriptionId, nextAttemptAt } of results) {
      // Not before it is written: until then the row is still leased, and a wait of zero would find nothing.
      if (nextAttemptAt !== null) this.#schedule.wakeAt(subscriptionId, 1, nextAttemptAt, now)
    }
    for (const one of recorded) this.#follow(one, now)
  }

  /** What a subscription's new state means for the deliveries of it that wait here. */
  #follow({ subscriptionId, state, change }: Recorded, now: Date): void {
    const { isActive, pausedUntil, holdUntil } = state
    const until = Math.max(pausedUntil?.getTime() ?? 0, holdUntil?.getTime() ?? 0)
    const isQuiet = !isActive || until > now.getTime()
    if (isQuiet) this.#schedule.pause(subscriptionId)
    if (!isActive || (!isQuiet && change === null)) return
    // What else is due comes after the pause, or now: the claim that tried the endpoint out took only one.
    this.#schedule.quiet(subscriptionId, new Date(until), now)
  }

  async #look(): Promise<void> {
    const { db, clock, log } = this.#deps
    const now = clock.now()
    for (const { subscriptionId, lane, dueAt } of await nextDue(db)) {
      if (dueAt <= now) this.#schedule.wake([subscriptionId], lane)
      else if (dueAt.getTime() - now.getTime() < horizonMs) this.#schedule.wakeAt(subscriptionId, lane, dueAt, now)
    }
    this.#lookedAt = performance.now()
    const cancelled = await cancelOrphans(db, now)
    if (cancelled > 0) log.info({ cancelled }, 'delivery.orphans_cancelled')
  }
}
