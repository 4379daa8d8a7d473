import { hourMs } from '#platform/clock.ts'
import { maxPerClaim, type Want } from '../queue/claim.ts'
import { RecentSet } from './recent-set.ts'
import { startWindow, type Slots } from './slots.ts'
import type { Lane } from '../tables/tables.ts'

export interface ScheduleOptions {
  readonly capacity: number
  readonly slots: Slots
  readonly onReady: () => void
}

interface Alarm {
  readonly timer: NodeJS.Timeout
  /** In Unix milliseconds, the next one first. */
  readonly times: readonly number[]
}

const lanes = [0, 1] as const
/** What one claim takes for one subscription when there are others to serve. */
const politeBite = 32
/**
 * Who got something within one or two of these counts as being served: with those in flight alone, a backlog would grow
 * large again between two events of the others. Who was deleted or switched off is company no longer than that.
 */
const recentMs = 100
/** Attempt results that wait to be written, as a multiple of the capacity: more than writing needs when the database keeps up. */
const unwrittenLimit = 2
/** That multiple for subscriptions that have nothing in flight: others must not have used it up. */
const unwrittenLimitOfIdle = 3
/** Part of the capacity that is kept for those of whom nothing is in flight, when there are others to serve. */
const idleReserve = 1 / 8
/** Part of what is free that one offer may take: others are made, and claims, before it is settled. */
const offeredShare = 1 / 2
/** Times that are remembered of one subscription and lane, the next ones; what is due later is found again by the periodic look. */
const maxTimes = 16
/** Subscriptions of a lane that have timers, 0.6 kB each: what is due of others is found by the periodic look, 5 s later at most. */
const maxAlarms = 50_000
/** Longest time a timer is set for; what is due later is found again by the periodic look. */
const maxTimerMs = hourMs
/** A timer can ring up to a millisecond early by the clock, and a claim that comes too early finds nothing. */
const timerErrorMs = 2

/**
 * Which subscriptions a worker asks for next, by claims or offers, and how many slots of each. All in memory: the
 * database knows what is due; this only knows where looking is worth while.
 */
export class Schedule {
  readonly #options: ScheduleOptions
  /** By lane. A Set keeps insertion order, and `claimed` puts a subscription back at the end: all go round. */
  readonly #ready = [new Set<number>(), new Set<number>()] as const
  /** By lane: the last claim of these brought as many as it asked for, so others are waiting. */
  readonly #backlogs = [new Set<number>(), new Set<number>()] as const
  readonly #alarms = [new Map<number, Alarm>(), new Map<number, Alarm>()] as const
  /** Nothing of these is due before, whatever is said of single deliveries; in Unix milliseconds. */
  readonly #quietUntil = new Map<number, number>()
  readonly #recent = new RecentSet(recentMs)
  #unwritten = 0
  #stopped = false

  constructor(options: ScheduleOptions) {
    this.#options = options
  }

  /** There may be something due for these now. */
  wake(subscriptionIds: Iterable<number>, lane: Lane = 0): void {
    for (const id of subscriptionIds) this.#ready[lane].add(id)
    this.#options.onReady()
  }

  /** Something will be due for this one at a time; it becomes ready then. */
  wakeAt(subscriptionId: number, lane: Lane, at: Date, now: Date): void {
    if (this.#stopped) return
    const alarms = this.#alarms[lane]
    if (alarms.size >= maxAlarms && !alarms.has(subscriptionId)) return
    const { times = [] } = alarms.get(subscriptionId) ?? {}
    const dueAt = Math.max(at.getTime(), this.#quietUntil.get(subscriptionId) ?? 0)
    if (times.includes(dueAt) || (times.length === maxTimes && dueAt > (times.at(-1) ?? 0))) return
    const sorted = [...times, dueAt].toSorted((one, other) => one - other)
    this.#setAlarm(subscriptionId, lane, sorted.slice(0, maxTimes), now.getTime())
  }

  #setAlarm(subscriptionId: number, lane: Lane, times: readonly number[], now: number): void {
    const alarms = this.#alarms[lane]
    clearTimeout(alarms.get(subscriptionId)?.timer)
    const [at, ...later] = times
    if (at === undefined) return
    const ring = (): void => {
      alarms.delete(subscriptionId)
      if ((this.#quietUntil.get(subscriptionId) ?? 0) <= at) this.#quietUntil.delete(subscriptionId)
      this.#setAlarm(subscriptionId, lane, later, at)
      this.wake([subscriptionId], lane)
    }
    const wait = Math.min(Math.max(0, at - now) + timerErrorMs, maxTimerMs)
    alarms.set(subscriptionId, { timer: setTimeout(ring, wait), times })
  }

  /** Nothing of this one is due before a time, when both of its lanes become ready: the past ends a quiet. */
  quiet(subscriptionId: number, until: Date, now: Date): void {
    this.#quietUntil.set(subscriptionId, until.getTime())
    for (const lane of lanes) {
      // What would ring earlier would find nothing, and the time after that be forgotten.
      clearTimeout(this.#alarms[lane].get(subscriptionId)?.timer)
      this.#alarms[lane].delete(subscriptionId)
      this.wakeAt(subscriptionId, lane, until, now)
    }
  }

  /** There is more room than before. */
  proceed(): void {
    if (this.#ready.some(({ size }) => size > 0)) this.#options.onReady()
  }

  /** What to claim now. The subscriptions named are not ready any more until `claimed` or `wake` says so. Each want needs one `claimed`. */
  take(): Want[] {
    return this.#mayAsk(unwrittenLimit) ? lanes.flatMap((lane) => this.#takeLane(lane)) : []
  }

  /** Like `take`, for subscriptions that have nothing in flight, and only for new deliveries. */
  takeIdle(): Want[] {
    const wants: Want[] = []
    if (!this.#mayAsk(unwrittenLimitOfIdle)) return wants
    const { slots } = this.#options
    let free = this.#freeFor(0)
    for (const subscriptionId of this.#ready[0]) {
      if (free <= 0) break
      const { window, taken } = slots.windowOf(subscriptionId, 0)
      if (taken + slots.windowOf(subscriptionId, 1).taken > 0) continue
      const limit = Math.min(window, startWindow, free)
      free -= limit
      wants.push(this.#ask(subscriptionId, 0, limit))
    }
    return wants
  }

  /**
   * Whether the next claim should wait a little, because one subscription has much due and is not alone. The machine is
   * shared by all: taken as fast as it can be, a backlog leaves no time in which to send what others wait for.
   */
  isPolite(wants: readonly Want[]): boolean {
    return wants.some(({ limit }) => limit > startWindow) && this.#recent.hasSeveral()
  }

  /** What a claim brought: `got` deliveries of at most `limit`. Fewer means that nothing else is due. */
  claimed(want: Want, got: number): void {
    const { subscriptionId, lane, limit } = want
    this.#settle(want, got)
    this.#backlogs[lane].delete(subscriptionId)
    if (got < limit) return
    this.#backlogs[lane].add(subscriptionId)
    this.wake([subscriptionId], lane)
  }

  /**
   * Room for what so many new events bring to some of these subscriptions. What waits was there first: one with a backlog
   * gets none, and one of which little waits half of its window. Each want needs one `tookOver`.
   */
  offer(subscriptionIds: readonly number[], events: number): Want[] {
    const wants: Want[] = []
    if (this.#stopped || !this.#mayAsk(unwrittenLimit)) return wants
    // One is kept for each that waits, or those who need no claim would be served before them for ever.
    let free = Math.floor(this.#freeFor(0) * offeredShare) - this.#ready[0].size
    const share = Math.ceil(free / subscriptionIds.length)
    for (const subscriptionId of subscriptionIds) {
      if (this.#backlogs[0].has(subscriptionId)) continue
      const { window, taken } = this.#options.slots.windowOf(subscriptionId, 0)
      const open = this.#ready[0].has(subscriptionId) ? Math.floor(window / 2) : window
      const limit = Math.min(open - taken, share, events, free)
      if (limit <= 0) continue
      free -= limit
      wants.push(this.#options.slots.reserve(subscriptionId, 0, limit))
    }
    return wants
  }

  /** What an offer brought: `got` deliveries of at most `limit`, which says nothing of others. */
  tookOver(want: Want, got: number): void {
    this.#settle(want, got)
    if (got < want.limit) this.proceed()
  }

  /** An attempt result waits to be written: with many of them nothing is claimed, or leases would run out first. */
  unwritten(): void {
    this.#unwritten += 1
  }

  /** The result has been written, or never will be. */
  written(): void {
    const heldBack = !this.#mayAsk(unwrittenLimit)
    this.#unwritten -= 1
    if (heldBack) this.proceed()
  }

  /** Ends every timer and sets none any more: results that are still written would leave some behind. */
  stop(): void {
    this.#stopped = true
    for (const alarms of this.#alarms) for (const { timer } of alarms.values()) clearTimeout(timer)
    for (const ready of this.#ready) ready.clear()
  }

  #mayAsk(limit: number): boolean {
    return this.#unwritten < limit * this.#options.capacity
  }

  #freeFor(lane: Lane): number {
    return this.#options.slots.freeFor(lane, this.#ready[1].size > 0)
  }

  #takeLane(lane: Lane): Want[] {
    const wants: Want[] = []
    const ready = this.#ready[lane]
    const isShared = this.#recent.hasSeveral()
    let free = this.#freeFor(lane) - (isShared ? Math.floor(this.#options.capacity * idleReserve) : 0)
    const share = Math.max(1, Math.floor(free / ready.size))
    const bite = isShared ? politeBite : maxPerClaim
    for (const subscriptionId of ready) {
      if (free <= 0) break
      const { window, taken } = this.#options.slots.windowOf(subscriptionId, lane)
      const room = window - taken
      // Each claim costs a statement, so not in small bites: a quarter of the window must be free.
      if (room * 4 < window) continue
      const limit = Math.min(room, share, free, bite)
      free -= limit
      wants.push(this.#ask(subscriptionId, lane, limit))
    }
    return wants
  }

  #ask(subscriptionId: number, lane: Lane, limit: number): Want {
    this.#ready[lane].delete(subscriptionId)
    return this.#options.slots.reserve(subscriptionId, lane, limit)
  }

  #settle(want: Want, got: number): void {
    this.#options.slots.settle(want, got)
    if (got === 0) return
    this.#recent.add(want.subscriptionId)
    // Something was due, so whatever was said before is over: another process, or its owner, has ended the quiet.
    this.#quietUntil.delete(want.subscriptionId)
  }
}
