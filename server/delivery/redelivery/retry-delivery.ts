import type { Tx } from '#platform/db/database.ts'
import { lockDeliveries, putBack } from './put-back.ts'

/**
 * What became of one delivery that somebody wants tried again. `due`: it is in the queue already, now or later;
 * `under_way`: an attempt is being made; `gone`: there is nothing to send, or nobody to send it to.
 */
export type RetryOutcome =
  | { readonly outcome: 'queued'; readonly subscriptionId: number }
  | { readonly outcome: 'due' | 'delivered' | 'under_way' | 'gone' }

export interface RetryOptions {
  /** Also when it was delivered, or is due only later. */
  readonly force: boolean
}

/**
 * Puts one delivery back in the queue, due at once with a budget that starts again. That of a subscription that is
 * switched off waits there until that is on. Of two at once the second finds what the first has done.
 */
export const retryDelivery = async (tx: Tx, id: number, { force }: RetryOptions, now: Date): Promise<RetryOutcome> => {
  const locked = await lockDeliveries(tx, [id], now)
  const [delivery] = locked
  if (delivery === undefined || !(await hasReceiver(tx, delivery.subscriptionId))) return { outcome: 'gone' }
  const { status, isLeased, subscriptionId } = delivery
  if (isLeased) return { outcome: 'under_way' }
  if (!force && status === 'pending') return { outcome: 'due' }
  if (!force && status === 'delivered') return { outcome: 'delivered' }
  const queued = await putBack(tx, locked, now)
  return queued.length === 0 ? { outcome: 'gone' } : { outcome: 'queued', subscriptionId }
}

const hasReceiver = async (tx: Tx, subscriptionId: number): Promise<boolean> => {
  const row = await tx
    .selectFrom('subscriptions')
    .select('id')
    .where('id', '=', subscriptionId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}
