import type { Want } from './queue.ts'

export interface ScheduleOptions {
  /** Deliveries in flight at once, over all subscriptions. */
  readonly capacity: number
  readonly onReady: () => void
}

interface Entry {
  window: number
  inFlight: number
  timer: NodeJS.Timeout | undefined
  timerAt: number
}

const startWindow = 8
const maxWindow = 256
/** Deliveries in flight, the slow ones included, as a multiple of the capacity. */
const slowLimit = 8
/** Longest time a timer is set for; what is due later is found again by the periodic look. */
const longestTimerMs = 3_600_000
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
 * Capacity is for exchanges that are getting somewhere. One that has lasted a second is only waiting,
 * which costs a socket and no work: it counts against a wider limit, and its slot goes to others. So a
 * receiver that hangs delays nobody for longer than that second, however many of its exchanges hang.
 */
export class Schedule {
  readonly #options: ScheduleOptions
  readonly #entries = new Map<number, Entry>()
  /** A Set keeps insertion order, and `claimed` puts a subscription back at the end: each gets its turn. */
  readonly #ready = new Set<number>()
  #inFlight = 0
  #slow = 0
  #stopped = false

  constructor(options: ScheduleOptions) {
    this.#options = options
  }

  /** Deliveries claimed and not ended, over all subscriptions. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** There may be something due for these now. */
  wake(subscriptionIds: Iterable<number>): void {
    for (const id of subscriptionIds) this.#ready.add(id)
    this.#options.onReady()
  }

  /** Something will be due for this one at a time; it becomes ready then. The earliest of several times counts. */
  wakeAt(subscriptionId: number, at: Date, now: Date): void {
    const entry = this.#entryOf(subscriptionId)
    if (this.#stopped || entry.timerAt <= at.getTime()) return
    clearTimeout(entry.timer)
    entry.timerAt = at.getTime()
    const wait = Math.min(Math.max(0, at.getTime() - now.getTime()) + timerErrorMs, longestTimerMs)
    entry.timer = setTimeout(() => {
      entry.timerAt = Infinity
      entry.timer = undefined
      this.wake([subscriptionId])
    }, wait)
  }

  /** What to claim now. The subscriptions named are not ready any more until `claimed` or `wake` says so. */
  take(): Want[] {
    const wants: Want[] = []
    const { capacity } = this.#options
    let free = Math.min(capacity - (this.#inFlight - this.#slow), slowLimit * capacity - this.#inFlight)
    const share = Math.max(1, Math.floor(free / Math.max(1, this.#ready.size)))
    for (const subscriptionId of this.#ready) {
      if (free <= 0) break
      const { window, inFlight } = this.#entryOf(subscriptionId)
      const room = window - inFlight
      // Each claim costs a statement, so not in small bites: a quarter of the window must be free.
      if (room * 4 < window) continue
      const limit = Math.min(room, share, free)
      this.#ready.delete(subscriptionId)
      free -= limit
      wants.push({ subscriptionId, limit })
    }
    return wants
  }

  /** What a claim brought: `got` deliveries of at most `limit`. Fewer means that nothing else is due. */
  claimed({ subscriptionId, limit }: Want, got: number): void {
    this.#entryOf(subscriptionId).inFlight += got
    this.#inFlight += got
    if (got === limit) this.wake([subscriptionId])
  }

  /** One claimed delivery has been in flight for long: its slot goes to others. */
  slowed(subscriptionId: number): void {
    const entry = this.#entryOf(subscriptionId)
    this.#slow += 1
    entry.window = Math.max(1, Math.floor(entry.window / 2))
    if (this.#ready.size > 0) this.#options.onReady()
  }

  /**
   * One claimed delivery ended.
   * @param inTime the receiver answered within the budget, whatever it said.
   * @param wasSlow `slowed` was called for it.
   */
  ended(subscriptionId: number, inTime: boolean, wasSlow = false): void {
    const entry = this.#entryOf(subscriptionId)
    entry.inFlight -= 1
    this.#inFlight -= 1
    if (wasSlow) this.#slow -= 1
    entry.window = inTime ? Math.min(maxWindow, entry.window + 1) : Math.max(1, Math.floor(entry.window / 2))
    if (this.#ready.size > 0) this.#options.onReady()
  }

  /** Ends every timer and sets none any more: ends that are still written would leave some behind. */
  stop(): void {
    this.#stopped = true
    for (const { timer } of this.#entries.values()) clearTimeout(timer)
    this.#ready.clear()
  }

  #entryOf(subscriptionId: number): Entry {
    const known = this.#entries.get(subscriptionId)
    if (known !== undefined) return known
    const entry: Entry = { window: startWindow, inFlight: 0, timer: undefined, timerAt: Infinity }
    this.#entries.set(subscriptionId, entry)
    return entry
  }
}
