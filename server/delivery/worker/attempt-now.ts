import type { Db } from '#platform/db/database.ts'
import { attempt, hasLeaseLeft } from '../attempt/attempt.ts'
import { claimOne } from '../queue/claim.ts'
import { finish } from '../queue/finish.ts'
import { observe } from './observe.ts'
import { release } from '../queue/queue.ts'
import type { Worker, WorkerDeps } from './worker.ts'

/**
 * What an attempt that somebody asked for came to. `busy`: one is in flight already; `gone`: there is nothing to send it
 * to; `waiting`: another delivery about the same object, to a subscription with order, is not done yet.
 */
export type AttemptReport =
  | {
      readonly ok: true
      readonly delivered: boolean
      readonly responseStatus: number | null
      readonly responseBody: string | null
      readonly durationMs: number
      readonly reason: string
    }
  | { readonly ok: false; readonly reason: 'busy' | 'gone' | 'waiting' }

type AttemptNowDeps = Pick<WorkerDeps, 'db' | 'receivers' | 'attempts' | 'recordHealth' | 'wake'> & {
  /** Tells the worker of this process, if it has one. */
  readonly onWritten: Worker['written']
}

/** Attempts one delivery at once, whatever its state, and waits for the answer. The same lease as a worker's keeps it from going out twice at a time. */
export const makeAttemptNow =
  ({ db, receivers, attempts, recordHealth, onWritten, wake }: AttemptNowDeps) =>
  async (deliveryId: number): Promise<AttemptReport> => {
    const { clock } = attempts
    const claimed = await claimOne(db, clock.now(), deliveryId)
    if (claimed === undefined) return { ok: false, reason: await whyNot(db, deliveryId, clock.now()) }
    await receivers.load([claimed])
    const receiver = receivers.get(claimed.subscriptionId)
    const claimedAt = performance.now()
    const made =
      receiver === undefined ? undefined : await attempt(attempts, receiver, claimed, () => hasLeaseLeft(claimedAt))
    if (receiver === undefined || made === undefined || !made.made) {
      await release(db, [claimed])
      return { ok: false, reason: made === undefined ? 'gone' : 'busy' }
    }
    const { attemptResult, settlement, result } = made
    const recorded = await recordHealth(
      observe([{ attemptResult, settlement, version: claimed.version, isTroubled: claimed.isTroubled }]),
    )
    await finish(db, [attemptResult])
    onWritten([attemptResult], recorded)
    // Others of its object may have waited for it, and a success may bring its endpoint back.
    wake([claimed.subscriptionId], 1)
    if (settlement.outcome === 'delivered' && claimed.isTroubled) wake([claimed.subscriptionId])
    return {
      ok: true,
      delivered: settlement.outcome === 'delivered',
      responseStatus: result.status,
      responseBody: result.body,
      durationMs: result.durationMs,
      reason: attemptResult.detail === null ? attemptResult.reason : `${attemptResult.reason}: ${attemptResult.detail}`,
    }
  }

const whyNot = async (db: Db, deliveryId: number, now: Date): Promise<'busy' | 'gone' | 'waiting'> => {
  const live = await db
    .selectFrom('deliveries')
    .innerJoin('subscriptions', 'subscriptions.id', 'deliveries.subscriptionId')
    .select(['leasedUntil', 'isOrdered'])
    .where('deliveries.id', '=', deliveryId)
    .where('subscriptions.deletedAt', 'is', null)
    .executeTakeFirst()
  if (live === undefined) return 'gone'
  return live.isOrdered && (live.leasedUntil ?? now) <= now ? 'waiting' : 'busy'
}
