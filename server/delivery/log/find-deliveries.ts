import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { Asked } from '#platform/found.ts'
import type { DeliveryStatus } from '../tables/tables.ts'
import { deliveryIdOf } from '../tables/webhook-id.ts'

/** A delivery that was asked for. */
export interface FoundDelivery {
  readonly id: number
  readonly subscriptionId: number
  readonly eventType: string
  /** What the event is about; empty where it is about nothing. */
  readonly about: string
  readonly status: DeliveryStatus
  readonly isExact: boolean
}

const maxFound = 10

/** The delivery of this id or `webhook-id`, and those of the event of this id, the newest first. */
export const findDeliveries = async (
  db: Db,
  { text, id }: Pick<Asked, 'text' | 'id'>,
  installationId: string,
): Promise<readonly FoundDelivery[]> => {
  const ids = [id, deliveryIdOf(text, installationId)].filter((one) => typeof one === 'number')
  if (ids.length === 0) return []
  const { rows } = await sql<FoundDelivery>`
    select id, subscription_id, coalesce(event_type, '') as event_type,
      coalesce(object_type || ' ' || object_id, '') as about, status, id = any(${ids}::bigint[]) as is_exact
    from deliveries where id = any(${ids}::bigint[]) or event_id = any(${ids}::bigint[])
    order by id desc limit ${maxFound}`.execute(db)
  return rows
}

/** The one that was asked for, where it is among them; others of the same event are not meant then. */
export const exactAlone = (found: readonly FoundDelivery[]): readonly FoundDelivery[] => {
  const exact = found.filter(({ isExact }) => isExact)
  return exact.length > 0 ? exact : found
}
