import { maxPerClaim, type Want } from '../queue/claim.ts'
import type { Lane } from '../tables/tables.ts'

export interface SlotsOptions {
  /** Deliveries in flight at once, over all subscriptions. */
  readonly capacity: number
  /** Called when there may be more room than before. */
  readonly onRoom: () => void
  /** Subscriptions of which nothing is in flight that are remembered: twice as many at most. */
  readonly remembered?: number
}

interface Entry {
  window: number
  /** By lane. */
  readonly inFlight: [number, number]
  /** By lane: asked for by claims and offers that have not ended. */
  readonly asked: [number, number]
  pausedAt: number
  /** Failures in a row seen here. */
  streak: number
}

export const startWindow = 8
/** About 13 MB. Who is forgotten begins with a new window. */
const rememberedSubscriptions = 50_000
const maxWindow = maxPerClaim
/** Deliveries in flight, the slow ones included, as a multiple of the capacity. */
const slowLimit = 8
/** Part of a window, and of the capacity, that retries may take. */
const retryShare = 1 / 4
/** Part of the capacity that is kept for retries when some are due. */
const retryReserve = 1 / 8

/**
 * How much each subscription may have in flight in this process, and how much it has.
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
export class Slots {
  readonly #options: SlotsOptions
  /** Those that were used since the last turn, and those before. */
  #entries = new Map<number, Entry>()
  #older = new Map<number, Entry>()
  readonly #inFlight: [number, number] = [0, 0]
  readonly #slow: [number, number] = [0, 0]
  readonly #asked: [number, number] = [0, 0]

  constructor(options: SlotsOptions) {
    this.#options = options
  }

  /** Deliveries claimed and not ended, over all subscriptions. */
  get inFlight(): number {
    return this.#inFlight[0] + this.#inFlight[1]
  }

  /** What is left of the capacity for a lane. */
  freeFor(lane: Lane, retriesWait: boolean): number {
    const { capacity } = this.#options
    const slow = this.#slow[0] + this.#slow[1]
    const free =
      Math.min(capacity - (this.inFlight - slow), slowLimit * capacity - this.inFlight) -
      this.#asked[0] -
      this.#asked[1]
    if (lane === 0) return retriesWait ? free - Math.floor(capacity * retryReserve) : free
    const most = Math.max(1, Math.floor(capacity * retryShare))
    return Math.min(free, most - (this.#inFlight[1] - this.#slow[1]) - this.#asked[1])
  }

  /** How many a subscription may have in a lane at once, and how many it has or has asked for. */
  windowOf(subscriptionId: number, lane: Lane): { readonly window: number; readonly taken: number } {
    const { window, inFlight, asked } = this.#entryOf(subscriptionId)
    return {
      window: lane === 0 ? window : Math.max(1, Math.floor(window * retryShare)),
      taken: inFlight[lane] + asked[lane],
    }
  }

  /** Takes slots for what a claim or an offer may bring. Each want needs one `settle`. */
  reserve(subscriptionId: number, lane: Lane, limit: number): Want {
    this.#entryOf(subscriptionId).asked[lane] += limit
    this.#asked[lane] += limit
    return { subscriptionId, lane, limit }
  }

  /** A claim or an offer brought `got` deliveries of at most `limit`: the other slots are free. */
  settle({ subscriptionId, lane, limit }: Want, got: number): void {
    const { asked, inFlight } = this.#entryOf(subscriptionId)
    asked[lane] -= limit
    this.#asked[lane] -= limit
    inFlight[lane] += got
    this.#inFlight[lane] += got
  }

  /** One claimed delivery has been in flight for long: its slot goes to others. */
  slowed(subscriptionId: number, lane: Lane): void {
    this.#slow[lane] += 1
    this.#shrink(subscriptionId)
    this.#options.onRoom()
  }

  /**
   * Frees the slot of a claimed delivery whose attempt is over.
   * @param inTime the receiver answered within the budget, and did not ask for less.
   * @param wasSlow `slowed` was called for it.
   */
  complete(subscriptionId: number, lane: Lane, inTime: boolean, wasSlow = false): void {
    const entry = this.#entryOf(subscriptionId)
    entry.inFlight[lane] -= 1
    this.#inFlight[lane] -= 1
    if (wasSlow) this.#slow[lane] -= 1
    if (inTime) entry.window = Math.min(maxWindow, entry.window + 1)
    else this.#shrink(subscriptionId)
    this.#options.onRoom()
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
    return this.#entryOf(subscriptionId).pausedAt >= moment
  }

  #shrink(subscriptionId: number): void {
    const entry = this.#entryOf(subscriptionId)
    entry.window = Math.max(1, Math.floor(entry.window / 2))
  }

  #entryOf(subscriptionId: number): Entry {
    const known = this.#entries.get(subscriptionId)
    if (known !== undefined) return known
    const entry = this.#older.get(subscriptionId) ?? newEntry()
    this.#older.delete(subscriptionId)
    this.#entries.set(subscriptionId, entry)
    if (this.#entries.size > (this.#options.remembered ?? rememberedSubscriptions)) this.#turn()
    return entry
  }

  /** Forgets who was not used since the last turn, but for those that have something in flight. */
  #turn(): void {
    const busy = [...this.#older].filter(([, { inFlight, asked }]) =>
      [...inFlight, ...asked].some((count) => count > 0),
    )
    this.#older = this.#entries
    this.#entries = new Map(busy)
  }
}

const newEntry = (): Entry => ({
  window: startWindow,
  inFlight: [0, 0],
  asked: [0, 0],
  pausedAt: -Infinity,
  streak: 0,
})
