import { healthRoutes } from '#delivery/surface/health-routes.ts'
import { historyRoutes } from '#delivery/surface/history-routes.ts'
import type { Tx } from '#platform/db/database.ts'
import { makeMemberWrite, reading } from '../access/index.ts'
import type { Dependencies } from '../dependencies.ts'
import { pingRoutes, webhookRecoveryRoutes } from './by-hand-routes.ts'
import { webhookDeliveryRoutes } from './delivery-routes.ts'
import { webhookSecretRoutes } from './secret-routes.ts'
import { deleteWebhooksOf } from './store.ts'
import { webhookRoutes } from './webhook-routes.ts'
import { makeWebhookSurface } from './webhook-surface.ts'

export { countTroubledWebhooks } from './store.ts'
export { findOwnedWebhooks } from './owned-webhooks.ts'
export { readAlertedWebhook, readFailedDelivery } from './webhook-of-subscription.ts'

/** The webhooks of projects (document 1; contract, sections 3 and 11). */
export const makeWebhooks = (dependencies: Dependencies) => {
  const write = makeMemberWrite(dependencies.write)
  const surface = { ...dependencies, ...makeWebhookSurface({ ...dependencies, write }) }
  return {
    routes: [
      webhookRoutes(surface),
      webhookSecretRoutes(surface),
      webhookDeliveryRoutes(surface),
      pingRoutes(surface),
      webhookRecoveryRoutes(surface),
      healthRoutes(surface, {
        operation: reading(
          'getProjectWebhookHealth',
          'Get how the receiver of a webhook is doing',
          'Also whether the server has switched it off and why, until when nothing is sent, and how much waits.',
        ),
        title: 'WebhookHealth',
      }),
      historyRoutes(surface, {
        operations: {
          history: reading(
            'listProjectWebhookHealthChanges',
            'List how the health of a webhook has changed',
            'When it was failing, disabled and well again, and when somebody switched it off and on.',
          ),
          activity: reading(
            'getProjectWebhookActivity',
            'Get how deliveries to a webhook went lately',
            'By the hour or the day: what arrived and failed, how attempts were answered, and how long they took.',
          ),
        },
        title: 'Webhook',
        baseUrl: dependencies.baseUrl,
      }),
    ],
    /** Removes every webhook of an organization, before the organization goes itself. What was still due is cancelled. */
    async removeWebhooksOf(tx: Tx, organizationId: string): Promise<void> {
      for (const id of await deleteWebhooksOf(tx, organizationId)) await dependencies.subscriptions.remove(tx, id)
    },
  }
}
