import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { inSpan } from '#platform/tracing/tracing.ts'
import { afterCommit, afterRollback, retried } from '#platform/db/transaction.ts'
import { accept, append, type Arrival, type NewEvent, type Stored } from './append.ts'
import { Listeners, noHandOver, type HandOver } from './hand-over.ts'
import { findOtherContent } from './external-events.ts'
import type { Message } from './message.ts'
import { sendMessage } from './send-message.ts'
import type { Want } from '../queue/claim.ts'

export type { Arrival, NewEvent } from './append.ts'

/** What becomes of an arrival: stored; known already, with the same content; or refused, as its id stands for something else. */
export type Acceptance = 'accepted' | 'duplicate' | 'id_reused'

/** Where domains say what happened. Only inside the transaction that made it happen. */
export interface Outbox {
  /**
   * Stores the events and one delivery for every active subscription that matches, all with `tx`: when
   * it commits, nothing more has to happen for each to be delivered. For one that the engine itself
   * switched off it is kept as `held`. Numbers the events of each object.
   */
  append(tx: Tx, events: readonly NewEvent[]): Promise<void>
  /**
   * Appends the events of other systems whose ids nobody has used yet.
   * @param arrivals no two of the same user have the same id.
   * @returns what becomes of each, in their order.
   */
  accept(tx: Tx, arrivals: readonly Arrival[]): Promise<readonly Acceptance[]>
  /** The same in one statement, which is the whole transaction. */
  acceptAlone(db: Db, arrivals: readonly Arrival[]): Promise<readonly Acceptance[]>
  /**
   * Stores a message and its delivery to one subscription, whatever that listens to; nobody else ever gets it. For one
   * that the engine itself switched off it is kept as `held`. Numbers the events of its object, as `append` does.
   * @returns the id of the delivery; undefined, with nothing stored, when somebody switched the subscription off or removed it.
   * @throws TypeError when content cannot be sent, see message.ts.
   */
  send(tx: Tx, subscriptionId: number, message: Message): Promise<number | undefined>
}

export interface OutboxDeps {
  readonly clock: Clock
  readonly wake: (subscriptionIds: readonly number[]) => void
  /** Absent: everything is claimed. */
  readonly handOver?: HandOver
}

export const makeOutbox = ({ clock, wake, handOver = noHandOver }: OutboxDeps): Outbox => {
  const listeners = new Listeners()

  /** Stores events with an offer of room. @returns what was stored, and what to do when it is committed or given up. */
  const storing = async (
    events: readonly NewEvent[],
    store: (now: Date, offer: readonly Want[]) => Promise<Stored>,
  ) => {
    const offeredAt = performance.now()
    const offer = handOver.offer(listeners.of(events), events.length)
    const givenUp = () => handOver.settle(offer, [], offeredAt)
    try {
      const stored = await store(clock.now(), offer)
      const committed = () => {
        listeners.learn(events, stored)
        handOver.settle(offer, stored.claims, offeredAt)
        if (stored.waiting.length > 0) wake([...new Set(stored.waiting)])
      }
      return { stored, committed, givenUp }
    } catch (error) {
      givenUp()
      throw error
    }
  }
  const inTx = async (tx: Tx, work: ReturnType<typeof storing>): Promise<Stored> => {
    const { stored, committed, givenUp } = await work
    afterCommit(tx, committed)
    afterRollback(tx, givenUp)
    return stored
  }
  const accepting = (db: Db, arrivals: readonly Arrival[]) =>
    storing(
      arrivals.map(({ event }) => event),
      (now, offer) => accept(db, now, arrivals, offer),
    )

  return {
    async append(tx, events) {
      if (events.length === 0) return
      await inSpan(spanOf(events), () =>
        inTx(
          tx,
          storing(events, (now, offer) => append(tx, now, events, offer)),
        ),
      )
    },
    async accept(tx, arrivals) {
      const events = arrivals.map(({ event }) => event)
      const stored = await inSpan(spanOf(events), () => inTx(tx, accepting(tx, arrivals)))
      return acceptancesOf(tx, arrivals, stored)
    },
    async acceptAlone(db, arrivals) {
      const { stored, committed } = await retried(() => accepting(db, arrivals))
      committed()
      return acceptancesOf(db, arrivals, stored)
    },
    async send(tx, subscriptionId, message) {
      const sent = await sendMessage(tx, subscriptionId, message, clock.now())
      if (sent?.status === 'pending') afterCommit(tx, () => wake([subscriptionId]))
      return sent?.id
    },
  }
}

const spanOf = (events: readonly NewEvent[]) => {
  const types = [...new Set(events.map(({ type }) => type))]
  const facts = { 'waybill.event.type': types.slice(0, 5).join(' '), 'waybill.events': events.length }
  return { name: 'append', kind: 'producer', facts } as const
}

const acceptancesOf = async (
  db: Db,
  arrivals: readonly Arrival[],
  { accepted }: Pick<Stored, 'accepted'>,
): Promise<readonly Acceptance[]> => {
  const known = arrivals.filter((_, index) => !accepted.has(index))
  const others = known.length === 0 ? new Set() : await findOtherContent(db, known)
  return arrivals.map((arrival, index) => {
    if (accepted.has(index)) return 'accepted'
    return others.has(arrival) ? 'id_reused' : 'duplicate'
  })
}
