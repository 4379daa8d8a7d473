import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeLoop, type Loop } from '#platform/loop.ts'
import type { Service } from '#platform/supervisor.ts'
import { makeClaimLoop } from './claim-loop.ts'
import { claim, type Claimed, type Want } from '../queue/claim.ts'
import type { AttemptResult } from '../queue/finish.ts'
import { Finisher } from './finisher.ts'
import { InFlight, type InFlightDeps } from './in-flight.ts'
import type { AttemptMetrics } from './attempt-metrics.ts'
import { makeOrderChanges } from '../order/order-changes.ts'
import { hasEnded, releaseEnded } from '../order/release-ended.ts'
import { cancelOrphans, nextDue } from '../queue/queue.ts'
import type { Recorded, RecordHealth } from '../health/record-health.ts'
import { Schedule } from './schedule.ts'
import { Slots } from './slots.ts'
import type { Wake } from '../queue/wake.ts'

export interface WorkerDeps extends InFlightDeps {
  readonly db: Db
  readonly clock: Clock
  readonly wake: Wake
  readonly metrics: AttemptMetrics
  readonly recordHealth: RecordHealth
  readonly onWritten: (written: readonly AttemptResult[]) => void
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
/** A head that has ended while somebody holds the queue of its object, as an event that is being raised does. */
const releaseAgainMs = 20

/** The loop that delivers: look, claim, attempt, finish. Any number of processes may run it on one database. */
export class Worker implements Service {
  readonly name = 'delivery worker'
  readonly #deps: WorkerDeps
  readonly #slots: Slots
  readonly #schedule: Schedule
  readonly #finisher: Finisher
  readonly #inFlight: InFlight
  readonly #claims: readonly Loop[]
  readonly #looks: Loop
  readonly #releases: Loop
  readonly #changes: Loop
  #lookedAt = -Infinity
  #started = false

  constructor(deps: WorkerDeps) {
    const { unsynced, log, capacity, recordHealth } = deps
    this.#deps = deps
    this.#slots = new Slots({ capacity, onRoom: () => this.#schedule.proceed() })
    this.#schedule = new Schedule({ capacity, slots: this.#slots, onReady: () => this.#claimSoon() })
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
    const dueInMs = async () => ((await hasEnded(deps.db, deps.clock.now())) ? releaseAgainMs : lookEveryMs)
    const run = () => this.#release()
    this.#releases = makeLoop({ name: 'releases of heads', everyMs: lookEveryMs, log, run, dueInMs })
    this.#changes = makeOrderChanges({ ...deps, everyMs: lookEveryMs, onDue: () => this.#looks.kick() })
    this.#finisher = new Finisher({
      db: unsynced,
      log,
      recordHealth,
      enough: capacity,
      onWritten: (results, recorded, hasHeads) => {
        this.written(results, recorded)
        if (hasHeads) this.#releases.kick()
      },
    })
    this.#inFlight = new InFlight(deps, this.#slots, this.#schedule, this.#finisher)
  }

  async start(): Promise<void> {
    await Promise.all(this.#claims.map((loop) => loop.start()))
    this.#deps.wake.onWake((ids, lane) => {
      if (ids === null) this.#looks.kick()
      else this.#schedule.wake(ids, lane)
      // What is done by hand, as a drop, may end what others of its object wait for.
      if (lane === 1) this.#releases.kick()
      // So may order have been switched on or off.
      if (lane === 1) this.#changes.kick()
    })
    await this.#releases.start()
    await this.#changes.start()
    await this.#looks.start()
    await this.#looks.idle()
    this.#started = true
  }

  /** Stops claiming, gives attempts in flight 10 s to end, cuts off the rest, and writes every result. */
  async stop(): Promise<void> {
    this.#inFlight.stop()
    this.#schedule.stop()
    await Promise.all([...this.#claims, this.#looks, this.#releases, this.#changes].map((loop) => loop.stop()))
    const drained = this.#inFlight.drain()
    const late = sleep(this.#deps.drainMs ?? drainMs, 'late' as const, { ref: false })
    if ((await Promise.race([drained, late])) === 'late') this.#deps.attempts.sender.abort()
    await drained
    await this.#finisher.flush()
  }

  /** Whether the worker got through to the database within the last looks. */
  isLooking(): boolean {
    return performance.now() - this.#lookedAt < 4 * lookEveryMs
  }

  /** Room for new deliveries, for whoever makes them with a lease. */
  offer(subscriptionIds: readonly number[], events: number): readonly Want[] {
    return this.#started ? this.#schedule.offer(subscriptionIds, events) : []
  }

  /** Sends what was made with a lease. */
  settle(offer: readonly Want[], claims: readonly Claimed[], claimedAt: number): void {
    const got = Map.groupBy(claims, ({ subscriptionId }) => subscriptionId)
    for (const want of offer) this.#schedule.tookOver(want, got.get(want.subscriptionId)?.length ?? 0)
    this.#inFlight.takeOver(claims, claimedAt)
  }

  /** Takes note of attempts that are written: when they are due again, and how their receivers do. */
  written(results: readonly AttemptResult[], recorded: readonly Recorded[]): void {
    this.#deps.metrics.written(results)
    this.#deps.onWritten(results)
    if (!this.#started) return
    const now = this.#deps.clock.now()
    for (const { subscriptionId, nextAttemptAt } of results) {
      // Not before it is written: until then the row is still leased, and a wait of zero would find nothing.
      if (nextAttemptAt !== null) this.#schedule.wakeAt(subscriptionId, 1, nextAttemptAt, now)
    }
    for (const one of recorded) this.#follow(one, now)
  }

  async #release(): Promise<void> {
    const { unsynced, clock } = this.#deps
    const releaseSome = () => inTransaction(unsynced, (tx) => releaseEnded(tx, clock.now()))
    for (let due = await releaseSome(); due !== undefined; due = await releaseSome())
      for (const { subscriptionId, lane } of due) this.#schedule.wake([subscriptionId], lane)
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
    this.#claimed(wants, claims, now)
    // The next claim is made meanwhile, for what room there is left.
    this.#inFlight.begin(claims, claimedAt)
  }

  #claimed(wants: readonly Want[], claims: readonly Claimed[], now: Date): void {
    const got = [new Map<number, number>(), new Map<number, number>()] as const
    for (const { subscriptionId, lane } of claims)
      got[lane].set(subscriptionId, (got[lane].get(subscriptionId) ?? 0) + 1)
    for (const want of wants) this.#schedule.claimed(want, got[want.lane].get(want.subscriptionId) ?? 0)
    for (const { subscriptionId, lane, nextTokenAt } of claims)
      if (nextTokenAt !== null) this.#schedule.wakeAt(subscriptionId, lane, nextTokenAt, now)
  }

  /** What a subscription's new state means for the deliveries of it that wait here. */
  #follow({ subscriptionId, state, change }: Recorded, now: Date): void {
    const { isActive, pausedUntil, holdUntil } = state
    const until = Math.max(pausedUntil?.getTime() ?? 0, holdUntil?.getTime() ?? 0)
    const isQuiet = !isActive || until > now.getTime()
    if (isQuiet) this.#slots.pause(subscriptionId)
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
