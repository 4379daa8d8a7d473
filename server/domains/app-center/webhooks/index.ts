import type { Tx } from '#platform/db/database.ts'
import { makeMemberWrite } from '../access/index.ts'
import type { Dependencies } from '../dependencies.ts'
import { pingRoutes, webhookRecoveryRoutes } from './by-hand-routes.ts'
import { webhookDeliveryRoutes } from './delivery-routes.ts'
import { webhookHealthRoutes } from './health-routes.ts'
import { webhookSecretRoutes } from './secret-routes.ts'
import { deleteWebhooksOf } from './store.ts'
import { webhookRoutes } from './webhook-routes.ts'
import { makeWebhookSurface } from './webhook-surface.ts'

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
      webhookHealthRoutes(surface),
    ],
    /** Removes every webhook of an organization, before the organization goes itself. What was still due is cancelled. */
    async removeWebhooksOf(tx: Tx, organizationId: string): Promise<void> {
      for (const id of await deleteWebhooksOf(tx, organizationId)) await dependencies.subscriptions.remove(tx, id)
    },
  }
}
