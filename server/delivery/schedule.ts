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
/** Longest time a timer is set for; what is due later is found again by the periodic look. */
const longestTimerMs = 3_600_000

/**
 * Which subscriptions a worker looks at next, and how much of each it takes. All in memory: the
 * database knows what is due; this only knows where looking is worth while.
 *
 * Each subscription has a window: how many of its deliveries may be in flight here at once. It grows
 * by one with every answer in time and halves with every exchange that hung or broke, so a healthy
 * receiver soon gets many at once while one that hangs holds a single slot.
 */
export class Schedule {
  readonly #options: ScheduleOptions
  readonly #entries = new Map<number, Entry>()
  /** A Set keeps insertion order, and `claimed` puts a subscription back at the end: each gets its turn. */
  readonly #ready = new Set<number>()
  #inFlight = 0

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
    if (entry.timerAt <= at.getTime()) return
    clearTimeout(entry.timer)
    entry.timerAt = at.getTime()
    const wait = Math.min(Math.max(0, at.getTime() - now.getTime()), longestTimerMs)
    entry.timer = setTimeout(() => {
      entry.timerAt = Infinity
      entry.timer = undefined
      this.wake([subscriptionId])
    }, wait)
  }

  /** What to claim now. The subscriptions named are not ready any more until `claimed` or `wake` says so. */
  take(): Want[] {
    const wants: Want[] = []
    let free = this.#options.capacity - this.#inFlight
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

  /** One claimed delivery ended. `inTime`: the receiver answered within the budget, whatever it said. */
  ended(subscriptionId: number, inTime: boolean): void {
    const entry = this.#entryOf(subscriptionId)
    entry.inFlight -= 1
    this.#inFlight -= 1
    entry.window = inTime ? Math.min(maxWindow, entry.window + 1) : Math.max(1, Math.floor(entry.window / 2))
    if (this.#ready.size > 0) this.#options.onReady()
  }

  stop(): void {
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
