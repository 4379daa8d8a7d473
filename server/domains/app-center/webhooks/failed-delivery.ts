import type { Tx } from '#platform/db/database.ts'
import { toObjectId } from '#platform/object-ids.ts'
import { findPlacedWebhook } from './store.ts'
import { webhookPath } from './webhook-path.ts'

/** A failed delivery to a webhook, as a report of it shows both. Paths are from the root of this server. */
export interface FailedDelivery {
  readonly targetId: string
  readonly target: { readonly label: string; readonly path: string }
  readonly deliveryPath: string
}

/** The webhook that a delivery failed to; undefined when its subscription is no project's, or was removed. */
export const readFailedDelivery = async (
  tx: Tx,
  subscriptionId: number,
  deliveryId: number,
): Promise<FailedDelivery | undefined> => {
  const webhook = await findPlacedWebhook(tx, subscriptionId)
  if (webhook === undefined) return undefined
  const path = webhookPath(webhook, webhook.id)
  return {
    targetId: webhook.id,
    // By its id: the names of projects are for their members.
    target: { label: `Webhook ${webhook.id}`, path },
    deliveryPath: `${path}/deliveries/${toObjectId(deliveryId)}`,
  }
}
