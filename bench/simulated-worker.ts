import { nextHealth, type HealthState } from '#delivery/health/health.ts'
import type { Want } from '#delivery/queue/claim.ts'
import { defaultStrategies, retryDelayMs } from '#delivery/subscriber/retry.ts'
import type { Lane } from '#delivery/tables/tables.ts'
import { Schedule } from '#delivery/worker/schedule.ts'
import { Slots } from '#delivery/worker/slots.ts'
import { timeLimitMs, type EndpointWorld } from './endpoint-world.ts'
import type { VirtualTime } from './virtual-time.ts'

interface Due {
  readonly at: number
  readonly attempt: number
}
/** New ones in the order that they came in, up to `begun` of which have been claimed; retries in any order. */
interface Waiting {
  begun: number
  all: Due[]
}

/** What was begun when, after it was due. */
export type OnBegin = (endpoint: number, waitedMs: number, attempt: number) => void

const capacity = 512
const rules = { failingAfter: 5, disabledAfterMs: 432_000_000, probeEveryMs: 3_600_000 }
const retry = defaultStrategies.exponential
const slowAfterMs = 1_000
/** As measured: `npm run bench -- claim`. */
const claimMs = 1
const claimRowMs = 0.025
const writtenAfterMs = 25
/** Longest pause between two claims of a loop that leaves time to others. */
const politeMs = 10

const healthy: HealthState = {
  isActive: true,
  disabledReason: null,
  health: 'healthy',
  failures: 0,
  failingSince: null,
  lastSuccessAt: null,
  lastFailureAt: null,
  disabledAt: null,
  probeAt: null,
  pausedUntil: null,
  holdUntil: null,
}

/**
 * A worker process in virtual time: schedule, slots, health and retries are those of the server; a claim takes as long as was
 * measured, and answers come as the world says. The processor is not simulated.
 */
export class SimulatedWorker {
  readonly #time: VirtualTime
  readonly #world: EndpointWorld
  readonly #onBegin: OnBegin
  readonly #slots: Slots
  readonly #schedule: Schedule
  /** By lane: what the database would find. */
  readonly #due = [new Map<number, Waiting>(), new Map<number, Waiting>()] as const
  readonly #states = new Map<number, HealthState>()
  readonly #busy = [false, false]
  mostInFlight = 0

  constructor(time: VirtualTime, world: EndpointWorld, onBegin: OnBegin) {
    this.#time = time
    this.#world = world
    this.#onBegin = onBegin
    this.#slots = new Slots({ capacity, onRoom: () => this.#schedule.proceed() })
    this.#schedule = new Schedule({ capacity, slots: this.#slots, onReady: () => this.#kick() })
  }

  get failing(): number {
    return this.#states.size
  }

  raise(endpoint: number, events = 1): void {
    for (let event = 0; event < events; event++) this.#put(endpoint, 0, { at: this.#time.now, attempt: 1 })
    this.#schedule.wake([endpoint])
  }

  #put(endpoint: number, lane: Lane, due: Due): void {
    const waiting = this.#due[lane].get(endpoint)
    if (waiting === undefined) this.#due[lane].set(endpoint, { begun: 0, all: [due] })
    else waiting.all.push(due)
  }

  #kick(): void {
    for (const loop of [0, 1]) if (this.#busy[loop] === false) this.#run(loop)
  }

  /** Like a claim loop: begins in a turn of its own. */
  #run(loop: number): void {
    this.#busy[loop] = true
    this.#time.after(0, () => this.#claim(loop))
  }

  #claim(loop: number): void {
    const wants = loop === 0 ? this.#schedule.takeIdle() : this.#schedule.take()
    if (wants.length === 0) {
      this.#busy[loop] = false
      return
    }
    const found = wants.map((want) => ({ want, claims: this.#find(want) }))
    const rows = found.reduce((sum, { claims }) => sum + claims.length, 0)
    const tookMs = claimMs + rows * claimRowMs
    this.#time.after(tookMs, () => {
      for (const { want, claims } of found) this.#schedule.claimed(want, claims.length)
      this.#begin(found)
      this.#time.after(this.#schedule.isPolite(wants) ? Math.min(tookMs, politeMs) : 0, () => this.#claim(loop))
    })
  }

  /** As the database: the oldest that are due, one of an endpoint that fails, none during its pause. */
  #find({ subscriptionId, lane, limit }: Want): readonly Due[] {
    const waiting = this.#due[lane].get(subscriptionId)
    if (waiting === undefined) return []
    const state = this.#states.get(subscriptionId)
    const isPaused = (state?.pausedUntil?.getTime() ?? 0) > this.#time.now
    if (isPaused) return []
    const most = state?.health === 'failing' ? 1 : limit
    const claims = lane === 0 ? takeFirst(waiting, most) : takeDue(waiting, most, this.#time.now)
    if (waiting.begun === waiting.all.length) this.#due[lane].delete(subscriptionId)
    return claims
  }

  #begin(found: readonly { readonly want: Want; readonly claims: readonly Due[] }[]): void {
    this.mostInFlight = Math.max(this.mostInFlight, this.#slots.inFlight)
    for (const { want, claims } of found)
      for (const due of claims) {
        this.#onBegin(want.subscriptionId, this.#time.now - due.at, due.attempt)
        this.#exchange(want.subscriptionId, want.lane, due.attempt)
      }
  }

  #exchange(endpoint: number, lane: Lane, attempt: number): void {
    const latencyMs = this.#world.latencyMs(endpoint)
    const isSlow = latencyMs > slowAfterMs
    if (isSlow) this.#time.after(slowAfterMs, () => this.#slots.slowed(endpoint, lane))
    this.#time.after(latencyMs, () => {
      const isSuccess = latencyMs < timeLimitMs
      const streak = this.#slots.counted(endpoint, isSuccess)
      this.#schedule.unwritten()
      this.#time.after(writtenAfterMs, () => this.#written(endpoint, isSuccess, attempt))
      if (streak >= rules.failingAfter) this.#slots.pause(endpoint)
      this.#slots.complete(endpoint, lane, isSuccess, isSlow)
    })
  }

  #written(endpoint: number, isSuccess: boolean, attempt: number): void {
    const now = new Date(this.#time.now)
    this.#schedule.written()
    const waitMs = retryDelayMs(retry, attempt, this.#world.random)
    const before = this.#states.get(endpoint) ?? healthy
    const { state } = nextHealth(
      before,
      {
        lastSuccessAt: isSuccess ? now : null,
        failures: isSuccess ? 0 : 1,
        firstFailureAt: isSuccess ? null : now,
        lastFailureAt: isSuccess ? null : now,
        retryWaitMs: waitMs,
        isGone: false,
        holdUntil: null,
      },
      rules,
      now,
    )
    if (isSuccess) this.#states.delete(endpoint)
    else this.#states.set(endpoint, state)
    if (!isSuccess) {
      const at = now.getTime() + waitMs
      this.#put(endpoint, 1, { at, attempt: attempt + 1 })
      this.#schedule.wakeAt(endpoint, 1, new Date(at), now)
    }
    if (state.pausedUntil !== null && state.pausedUntil > now) {
      this.#slots.pause(endpoint)
      this.#schedule.quiet(endpoint, state.pausedUntil, now)
    }
  }
}

const takeFirst = (waiting: Waiting, most: number): readonly Due[] => {
  const claims = waiting.all.slice(waiting.begun, waiting.begun + most)
  waiting.begun += claims.length
  return claims
}

const takeDue = (waiting: Waiting, most: number, now: number): readonly Due[] => {
  const claims = waiting.all.filter(({ at }) => at <= now).slice(0, most)
  waiting.all = waiting.all.filter((due) => !claims.includes(due))
  return claims
}
