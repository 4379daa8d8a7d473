import type { Db } from '#platform/db/database.ts'
import { attempt, type AttemptDeps } from './attempt.ts'
import { applyToSubscription } from './consequences.ts'
import { claimOne, finish, release } from './queue.ts'
import type { Receivers } from './receivers.ts'

/** What an attempt that somebody asked for came to. `busy`: one is in flight already; `gone`: there is nothing to send it to. */
export type AttemptReport =
  | {
      readonly ok: true
      readonly delivered: boolean
      readonly responseStatus: number | null
      readonly responseBody: string | null
      readonly durationMs: number
      readonly reason: string
    }
  | { readonly ok: false; readonly reason: 'busy' | 'gone' }

export interface AttemptNowDeps {
  readonly db: Db
  readonly receivers: Receivers
  readonly attempts: AttemptDeps
  /** A failed attempt of a pending delivery has a new due time: workers should know. */
  readonly wake: (subscriptionIds: readonly number[]) => void
}

/** Attempts one delivery at once, whatever its state, and waits for the answer. The same lease as a worker's keeps it from going out twice at a time. */
export const makeAttemptNow =
  ({ db, receivers, attempts, wake }: AttemptNowDeps) =>
  async (deliveryId: number): Promise<AttemptReport> => {
    const { clock } = attempts
    const claimed = await claimOne(db, clock.now(), deliveryId)
    if (claimed === undefined) return { ok: false, reason: await whyNot(db, deliveryId) }
    await receivers.load([claimed])
    const receiver = receivers.get(claimed.subscriptionId)
    const made = receiver === undefined ? undefined : await attempt(attempts, receiver, claimed, performance.now())
    if (receiver === undefined || made === undefined || !made.made) {
      await release(db, [claimed])
      return { ok: false, reason: made === undefined ? 'gone' : 'busy' }
    }
    const { finished, settlement, result } = made
    await applyToSubscription(db, receiver, settlement)
    await finish(db, [finished])
    wake([claimed.subscriptionId])
    return {
      ok: true,
      delivered: settlement.outcome === 'delivered',
      responseStatus: result.status,
      responseBody: result.body,
      durationMs: result.durationMs,
      reason: finished.reason,
    }
  }

const whyNot = async (db: Db, deliveryId: number): Promise<'busy' | 'gone'> => {
  const live = await db
    .selectFrom('deliveries')
    .innerJoin('subscriptions', 'subscriptions.id', 'deliveries.subscriptionId')
    .select('deliveries.id')
    .where('deliveries.id', '=', deliveryId)
    .where('subscriptions.deletedAt', 'is', null)
    .executeTakeFirst()
  return live === undefined ? 'gone' : 'busy'
}
