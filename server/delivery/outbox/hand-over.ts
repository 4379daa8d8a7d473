import type { Claimed, Want } from '../queue/claim.ts'
import type { NewEvent, Stored } from './append.ts'

/**
 * A worker of this process, as far as it takes new deliveries with the lease that their insert took: what it has room for
 * needs no claim.
 */
export interface HandOver {
  /** Reserves room for what so many events bring to some of these subscriptions. Every offer is settled once. */
  offer(subscriptionIds: readonly number[], events: number): readonly Want[]
  /**
   * Takes what an offer brought, after the commit; nothing, when the transaction was given up.
   * @param offeredAt on the clock of `performance.now()`.
   */
  settle(offer: readonly Want[], claims: readonly Claimed[], offeredAt: number): void
}

/** For a process without a worker. */
export const noHandOver: HandOver = { offer: () => [], settle: () => undefined }

/** Subscriptions of one kind of event that are remembered: what more of them get is claimed. */
const maxListeners = 64
const maxKinds = 1_000

/** Remembers which subscriptions got events of a kind lately: theirs is the room that is asked for. What it has wrong costs a claim. */
export class Listeners {
  readonly #byKind = new Map<string, readonly number[]>()

  of(events: readonly NewEvent[]): readonly number[] {
    const found = new Set<number>()
    for (const kind of new Set(events.map(kindOf))) for (const id of this.#byKind.get(kind) ?? []) found.add(id)
    return [...found].slice(0, maxListeners)
  }

  learn(events: readonly NewEvent[], { listeners }: Pick<Stored, 'listeners'>): void {
    if (this.#byKind.size > maxKinds) this.#byKind.clear()
    const heard = new Map<string, Set<number>>()
    for (const { index, subscriptionId } of listeners) {
      const event = events[index]
      if (event === undefined) continue
      const kind = kindOf(event)
      heard.set(kind, (heard.get(kind) ?? new Set()).add(subscriptionId))
    }
    for (const [kind, ids] of heard) this.#byKind.set(kind, [...ids].slice(0, maxListeners))
  }
}

const kindOf = ({ scope, type }: NewEvent): string => `${scope} ${type}`
