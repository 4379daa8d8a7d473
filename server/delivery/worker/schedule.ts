import { hourMs } from '#platform/clock.ts'
import { maxPerClaim, type Want } from '../queue/claim.ts'
import { RecentSet } from './recent-set.ts'
import type { Lane } from '../tables/tables.ts'

export interface ScheduleOptions {
  /** Deliveries in flight at once, over all subscriptions. */
  readonly capacity: number
  readonly onReady: () => void
}

interface LaneEntry {
  inFlight: number
  /** Asked for by claims and offers that have not ended. */
  asked: number
  /** The last claim brought as many as it asked for: others are waiting. */
  hasMore: boolean
  timer: NodeJS.Timeout | undefined
  timerAt: number
}

interface Entry {
  window: number
  readonly lanes: readonly [LaneEntry, LaneEntry]
  pausedAt: number
  /** Nothing is due before, whatever is said of single deliveries; in Unix milliseconds. */
  quietUntil: number
  /** Failures in a row seen here. */
  streak: number
}

const lanes = [0, 1] as const
const startWindow = 8
/** What one claim takes for one subscription when there are others to serve. */
const politeBite = 32
/**
 * Who got something within one or two of these counts as being served: with those in flight alone, a backlog would grow
 * large again between two events of the others. Who was deleted or switched off is company no longer than that.
 */
const recentMs = 100
const maxWindow = maxPerClaim
/** Deliveries in flight, the slow ones included, as a multiple of the capacity. */
const slowLimit = 8
/** Part of a window, and of the capacity, that retries may take. */
const retryShare = 1 / 4
/** Part of the capacity that is kept for retries when some are due. */
const retryReserve = 1 / 8
/** Attempt results that wait to be written, as a multiple of the capacity: more than writing needs when the database keeps up. */
const unwrittenLimit = 2
/** That multiple for subscriptions that have nothing in flight: others must not have used it up. */
const unwrittenLimitOfIdle = 3
/** Part of the capacity that is kept for those of whom nothing is in flight, when there are others to serve. */
const idleReserve = 1 / 8
/** Part of what is free that one offer may take: others are made, and claims, before it is settled. */
const offeredShare = 1 / 2
/** Longest time a timer is set for; what is due later is found again by the periodic look. */
const maxTimerMs = hourMs
/** A timer can ring up to a millisecond early by the clock, and a claim that comes too early finds nothing. */
const timerErrorMs = 2

/**
 * Which subscriptions a worker looks at next, and how much of each it takes. All in memory: the
 * database knows what is due; this only knows where looking is worth while.
 *
 * Each subscription has a window: how many of its deliveries may be in flight here at once. It grows
 * by one with every answer in time and halves with every exchange that is slow or broke, so a healthy
 * receiver soon gets many at once while one that hangs holds a single slot.
 *
 * Retries have a lane of their own, so that a backlog of them does not delay what is new, nor the other
 * way round: of each subscription's window and of the whole capacity they get at most a quarter, and an
 * eighth of the capacity is theirs when they need it.
 *
 * Capacity is for exchanges that are getting somewhere. One that has lasted a second is only waiting,
 * which costs a socket and no work: it counts against a wider limit, and its slot goes to others. So a
 * receiver that hangs delays nobody for longer than that second, however many of its exchanges hang.
 */
export class Schedule {
  readonly #options: ScheduleOptions
  readonly #entries = new Map<number, Entry>()
  /** A Set keeps insertion order, and `claimed` puts a subscription back at the end: each gets its turn. */
  readonly #ready = [new Set<number>(), new Set<number>()] as const
  readonly #inFlight: [number, number] = [0, 0]
  readonly #slow: [number, number] = [0, 0]
  readonly #asked: [number, number] = [0, 0]
  readonly #recent = new RecentSet(recentMs)
  #unwritten = 0
  #stopped = false

  constructor(options: ScheduleOptions) {
    this.#options = options
  }

  /** Deliveries claimed and not ended, over all subscriptions. */
  get inFlight(): number {
    return this.#inFlight[0] + this.#inFlight[1]
  }

  /** There may be something due for these now. */
  wake(subscriptionIds: Iterable<number>, lane: Lane = 0): void {
    for (const id of subscriptionIds) this.#ready[lane].add(id)
    this.#options.onReady()
  }

  /** Something will be due for this one at a time; it becomes ready then. The earliest of several times counts. */
  wakeAt(subscriptionId: number, lane: Lane, at: Date, now: Date): void {
    const { lanes: state, quietUntil } = this.#entryOf(subscriptionId)
    const entry = state[lane]
    const dueAt = Math.max(at.getTime(), quietUntil)
    if (this.#stopped || entry.timerAt <= dueAt) return
    clearTimeout(entry.timer)
    entry.timerAt = dueAt
    const wait = Math.min(Math.max(0, dueAt - now.getTime()) + timerErrorMs, maxTimerMs)
    entry.timer = setTimeout(() => {
      entry.timerAt = Infinity
      entry.timer = undefined
      this.wake([subscriptionId], lane)
    }, wait)
  }

  /** What to claim now. The subscriptions named are not ready any more until `claimed` or `wake` says so. Each want needs one `claimed`. */
  take(): Want[] {
    const wants: Want[] = []
    if (this.#unwritten >= unwrittenLimit * this.#options.capacity) return wants
    for (const lane of lanes) this.#takeLane(lane, wants)
    return wants
  }

  /** Like `take`, for subscriptions that have nothing in flight, and only for new deliveries. */
  takeIdle(): Want[] {
    const wants: Want[] = []
    if (this.#unwritten >= unwrittenLimitOfIdle * this.#options.capacity) return wants
    let free = this.#freeFor(0)
    for (const subscriptionId of this.#ready[0]) {
      if (free <= 0) break
      const { window, lanes: state } = this.#entryOf(subscriptionId)
      if (state.some(({ inFlight, asked }) => inFlight + asked > 0)) continue
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
  claimed({ subscriptionId, lane, limit }: Want, got: number): void {
    this.#settle({ subscriptionId, lane, limit }, got)
    const entry = this.#entryOf(subscriptionId).lanes[lane]
    entry.hasMore = got === limit
    if (entry.hasMore) this.wake([subscriptionId], lane)
  }

  /**
   * Room for what so many new events bring to some of these subscriptions. What waits was there first: one with a backlog
   * gets none, and one of which little waits half of its window. Each want needs one `tookOver`.
   */
  offer(subscriptionIds: readonly number[], events: number): Want[] {
    const wants: Want[] = []
    if (this.#stopped || this.#unwritten >= unwrittenLimit * this.#options.capacity) return wants
    // One is kept for each that waits, or those who need no claim would be served before them for ever.
    let free = Math.floor(this.#freeFor(0) * offeredShare) - this.#ready[0].size
    const share = Math.ceil(free / subscriptionIds.length)
    for (const subscriptionId of subscriptionIds) {
      const { window, lanes: state } = this.#entryOf(subscriptionId)
      const [{ inFlight, asked, hasMore }] = state
      if (hasMore) continue
      const open = this.#ready[0].has(subscriptionId) ? Math.floor(window / 2) : window
      const limit = Math.min(open - inFlight - asked, share, events, free)
      if (limit <= 0) continue
      free -= limit
      wants.push(this.#reserve(subscriptionId, 0, limit))
    }
    return wants
  }

  /** What an offer brought: `got` deliveries of at most `limit`, which says nothing of others. */
  tookOver(want: Want, got: number): void {
    this.#settle(want, got)
    if (got < want.limit) this.#readyAgain()
  }

  /** One claimed delivery has been in flight for long: its slot goes to others. */
  slowed(subscriptionId: number, lane: Lane): void {
    this.#slow[lane] += 1
    this.#shrink(this.#entryOf(subscriptionId))
    this.#readyAgain()
  }

  /**
   * Frees the slot of a claimed delivery whose attempt is over.
   * @param inTime the receiver answered within the budget, and did not ask for less.
   * @param wasSlow `slowed` was called for it.
   */
  complete(subscriptionId: number, lane: Lane, inTime: boolean, wasSlow = false): void {
    const entry = this.#entryOf(subscriptionId)
    entry.lanes[lane].inFlight -= 1
    this.#inFlight[lane] -= 1
    if (wasSlow) this.#slow[lane] -= 1
    if (inTime) entry.window = Math.min(maxWindow, entry.window + 1)
    else this.#shrink(entry)
    this.#readyAgain()
  }

  /** An attempt result waits to be written: with many of them nothing is claimed, or leases would run out first. */
  unwritten(): void {
    this.#unwritten += 1
  }

  /** The result has been written, or never will be. */
  written(): void {
    const heldBack = this.#unwritten >= unwrittenLimit * this.#options.capacity
    this.#unwritten -= 1
    if (heldBack) this.#readyAgain()
  }

  /** Nothing of this one is due before a time, when both of its lanes become ready: the past ends a quiet. */
  quiet(subscriptionId: number, until: Date, now: Date): void {
    const entry = this.#entryOf(subscriptionId)
    entry.quietUntil = until.getTime()
    for (const lane of lanes) {
      // What would ring earlier would find nothing, and the time after that be forgotten.
      clearTimeout(entry.lanes[lane].timer)
      entry.lanes[lane].timerAt = Infinity
      this.wakeAt(subscriptionId, lane, until, now)
    }
  }

  /** An attempt succeeded or failed. @returns how many in a row have failed here. */
  counted(subscriptionId: number, isSuccess: boolean): number {
    const entry = this.#entryOf(subscriptionId)
    entry.streak = isSuccess ? 0 : entry.streak + 1
    return entry.streak
  }

  /** Nothing claimed until now is to be sent any more: the breaker opened, or the subscription was switched off. */
  pause(subscriptionId: number): void {
    this.#entryOf(subscriptionId).pausedAt = performance.now()
  }

  /** Whether `pause` was called for the subscription after a moment of `performance.now()`. */
  isPausedSince(subscriptionId: number, moment: number): boolean {
    return (this.#entries.get(subscriptionId)?.pausedAt ?? -Infinity) >= moment
  }

  /** Ends every timer and sets none any more: results that are still written would leave some behind. */
  stop(): void {
    this.#stopped = true
    for (const entry of this.#entries.values()) for (const { timer } of entry.lanes) clearTimeout(timer)
    for (const ready of this.#ready) ready.clear()
  }

  #takeLane(lane: Lane, wants: Want[]): void {
    const ready = this.#ready[lane]
    if (ready.size === 0) return
    const isShared = this.#recent.hasSeveral()
    let free = this.#freeFor(lane) - (isShared ? Math.floor(this.#options.capacity * idleReserve) : 0)
    const share = Math.max(1, Math.floor(free / ready.size))
    const bite = isShared ? politeBite : maxPerClaim
    for (const subscriptionId of ready) {
      if (free <= 0) break
      const entry = this.#entryOf(subscriptionId)
      const window = lane === 0 ? entry.window : Math.max(1, Math.floor(entry.window * retryShare))
      const room = window - entry.lanes[lane].inFlight - entry.lanes[lane].asked
      // Each claim costs a statement, so not in small bites: a quarter of the window must be free.
      if (room * 4 < window) continue
      const limit = Math.min(room, share, free, bite)
      free -= limit
      wants.push(this.#ask(subscriptionId, lane, limit))
    }
  }

  #ask(subscriptionId: number, lane: Lane, limit: number): Want {
    this.#ready[lane].delete(subscriptionId)
    return this.#reserve(subscriptionId, lane, limit)
  }

  #settle({ subscriptionId, lane, limit }: Want, got: number): void {
    const entry = this.#entryOf(subscriptionId).lanes[lane]
    entry.asked -= limit
    this.#asked[lane] -= limit
    entry.inFlight += got
    this.#inFlight[lane] += got
    if (got > 0) this.#served(subscriptionId)
  }

  #reserve(subscriptionId: number, lane: Lane, limit: number): Want {
    this.#entryOf(subscriptionId).lanes[lane].asked += limit
    this.#asked[lane] += limit
    return { subscriptionId, lane, limit }
  }

  #freeFor(lane: Lane): number {
    const { capacity } = this.#options
    const slow = this.#slow[0] + this.#slow[1]
    const free =
      Math.min(capacity - (this.inFlight - slow), slowLimit * capacity - this.inFlight) -
      this.#asked[0] -
      this.#asked[1]
    if (lane === 1) {
      const most = Math.max(1, Math.floor(capacity * retryShare))
      return Math.min(free, most - (this.#inFlight[1] - this.#slow[1]) - this.#asked[1])
    }
    return this.#ready[1].size === 0 ? free : free - Math.floor(capacity * retryReserve)
  }

  #served(subscriptionId: number): void {
    this.#recent.add(subscriptionId)
    // Something was due, so whatever was said before is over: another process, or its owner, has ended the quiet.
    this.#entryOf(subscriptionId).quietUntil = 0
  }

  #shrink(entry: Entry): void {
    entry.window = Math.max(1, Math.floor(entry.window / 2))
  }

  #readyAgain(): void {
    if (this.#ready.some(({ size }) => size > 0)) this.#options.onReady()
  }

  #entryOf(subscriptionId: number): Entry {
    const known = this.#entries.get(subscriptionId)
    if (known !== undefined) return known
    const entry: Entry = {
      window: startWindow,
      lanes: [newLane(), newLane()],
      pausedAt: -Infinity,
      quietUntil: 0,
      streak: 0,
    }
    this.#entries.set(subscriptionId, entry)
    return entry
  }
}

const newLane = (): LaneEntry => ({ inFlight: 0, asked: 0, hasMore: false, timer: undefined, timerAt: Infinity })
