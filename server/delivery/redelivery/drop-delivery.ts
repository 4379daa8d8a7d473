import type { Tx } from '#platform/db/database.ts'
import type { DeliveryStatus } from '../tables/tables.ts'
import { lockDeliveries } from './put-back.ts'

const open: readonly DeliveryStatus[] = ['pending', 'waiting', 'held']

/**
 * Gives an open delivery up by hand: with order, the next one of its object goes.
 * @returns `under_way` while an attempt is made, `ended` where it is not open.
 */
export const dropDelivery = async (tx: Tx, id: number, now: Date): Promise<'dropped' | 'under_way' | 'ended'> => {
  const [delivery] = await lockDeliveries(tx, [id], now)
  if (delivery === undefined || !open.includes(delivery.status)) return 'ended'
  if (delivery.isLeased) return 'under_way'
  await tx
    .updateTable('deliveries')
    .set({
      status: 'cancelled',
      lastReason: 'dropped',
      finishedAt: now,
      leaseToken: null,
      leasedAt: null,
      leasedUntil: null,
    })
    .where('id', '=', id)
    .execute()
  return 'dropped'
}
