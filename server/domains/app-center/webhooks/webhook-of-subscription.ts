import { onOneLine } from '#delivery/surface/owned.ts'
import type { Tx } from '#platform/db/database.ts'
import { toObjectId } from '#platform/object-ids.ts'
import { findPlacedWebhook } from './store.ts'
import { webhookPath } from './webhook-surface.ts'

/**
 * What a message about the health of a webhook says: its title, its path, and the users to tell, the first of them who
 * can be written to: who made it while they are a member, then the owners.
 * @returns undefined when the subscription is no project's.
 */
export const readAlertedWebhook = async (tx: Tx, subscriptionId: number) => {
  const webhook = await findPlacedWebhook(tx, subscriptionId)
  if (webhook === undefined) return undefined
  const { id, name, projectName, maker, owners } = webhook
  const [webhookName, project] = [onOneLine(name), onOneLine(projectName)]
  return {
    title: {
      en: `Webhook “${webhookName}” of project “${project}”`,
      tr: `“${project}” projesi, “${webhookName}” adlı webhook`,
    },
    path: webhookPath(webhook, id),
    audience: [...(maker === null ? [] : [maker]), ...owners],
  }
}

/** A failed delivery to a webhook, as a report of it shows both; undefined when its subscription is no project's, or was removed. */
export const readFailedDelivery = async (tx: Tx, subscriptionId: number, deliveryId: number) => {
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
