import type { Tx } from '#platform/db/database.ts'
import { makeMemberWrite } from '../access/index.ts'
import type { Dependencies } from '../dependencies.ts'
import { readProjectRecord } from '../projects/index.ts'
import { byHandRoutes } from './by-hand-routes.ts'
import { webhookDeliveryRoutes } from './delivery-routes.ts'
import { makeFindWebhooks } from './find-webhooks.ts'
import { webhookHealthRoutes } from './health-routes.ts'
import { makeManageWebhooks } from './manage-webhooks.ts'
import { webhookRoutes } from './routes.ts'
import { webhookSecretRoutes } from './secret-routes.ts'
import { makeWebhookSurface } from './webhook-surface.ts'

export { readAlertedWebhook } from './alerted-webhook.ts'
export { readFailedDelivery } from './failed-delivery.ts'

/** The webhooks of projects (document 1; contract, sections 3 and 11). */
export const makeWebhooks = (dependencies: Dependencies) => {
  const { db, vault, baseUrl, checkUrl } = dependencies
  const write = makeMemberWrite(dependencies.write)
  const webhooks = { ...makeFindWebhooks(dependencies.subscriptions), ...makeManageWebhooks(dependencies) }
  const readProject = (tx: Tx, projectId: string) => readProjectRecord(tx, vault, projectId)
  const surface = { ...dependencies, ...makeWebhookSurface({ ...dependencies, write }) }
  const routes = [
    webhookRoutes({ db, write, baseUrl, webhooks, readProject, checkUrl }),
    webhookSecretRoutes(surface),
    webhookDeliveryRoutes(surface),
    byHandRoutes(surface),
    webhookHealthRoutes(surface),
  ]
  return {
    routes,
    /** Removes every webhook of an organization, before the organization goes itself. What was still due is cancelled. */
    removeWebhooksOf: (tx: Tx, organizationId: string): Promise<void> => webhooks.removeAllOf(tx, organizationId),
  }
}
