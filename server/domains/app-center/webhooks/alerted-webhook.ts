import { onOneLine } from '#delivery/surface/owned.ts'
import type { Tx } from '#platform/db/database.ts'
import { findPlacedWebhook } from './store.ts'
import { webhookPath } from './webhook-path.ts'

/** A webhook as a message about its health needs it. */
export interface AlertedWebhook {
  /** What people know it by. */
  readonly title: string
  /** Where it can be looked at, from the root of this server. */
  readonly path: string
  /** Users to tell, the first of them who can be written to: who made it while they are a member, then the owners. */
  readonly audience: readonly number[]
}

/** The webhook of a subscription; undefined when the subscription is no project's. */
export const readAlertedWebhook = async (tx: Tx, subscriptionId: number): Promise<AlertedWebhook | undefined> => {
  const webhook = await findPlacedWebhook(tx, subscriptionId)
  if (webhook === undefined) return undefined
  const { id, name, projectName, maker, owners } = webhook
  return {
    title: `Webhook “${onOneLine(name)}” of project “${onOneLine(projectName)}”`,
    path: webhookPath(webhook, id),
    audience: [...(maker === null ? [] : [maker]), ...owners],
  }
}
