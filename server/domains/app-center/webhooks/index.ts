import type { Tx } from '#platform/db/database.ts'
import { makeMemberWrite } from '../access/index.ts'
import type { Dependencies } from '../dependencies.ts'
import { readProjectRecord } from '../projects/index.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { makeFindWebhooks } from './find-webhooks.ts'
import { healthRoutes } from './health-routes.ts'
import { makeManageWebhooks } from './manage-webhooks.ts'
import { makeRecover } from './recover.ts'
import { recoveryRoutes } from './recovery-routes.ts'
import { webhookRoutes } from './routes.ts'
import { secretRoutes } from './secret-routes.ts'
import { makeSendAgain } from './send-again.ts'

export { readAlertedWebhook, type AlertedWebhook } from './alerted-webhook.ts'
export { readFailedDelivery } from './failed-delivery.ts'

/** The webhooks of projects (document 1; contract, sections 3 and 11). */
export const makeWebhooks = (dependencies: Dependencies) => {
  const { db, clock, vault, baseUrl, checkUrl, redeliveries, installationId } = dependencies
  const write = makeMemberWrite(dependencies.write)
  const webhooks = { ...makeFindWebhooks(dependencies.subscriptions), ...makeManageWebhooks(dependencies) }
  const sendAgain = makeSendAgain({ ...dependencies, webhooks })
  const readProject = (tx: Tx, projectId: string) => readProjectRecord(tx, vault, projectId)
  const routes = [
    webhookRoutes({ db, write, baseUrl, webhooks, readProject, checkUrl }),
    secretRoutes({ db, clock, write, webhooks }),
    deliveryRoutes({ db, write, baseUrl, webhooks, sendAgain, installationId }),
    healthRoutes({ db, clock, webhooks, installationId }),
    recoveryRoutes({ write, recover: makeRecover({ clock, webhooks, redeliveries }) }),
  ]
  return {
    routes,
    /** Removes every webhook of an organization, before the organization goes itself. What was still due is cancelled. */
    removeWebhooksOf: (tx: Tx, organizationId: string): Promise<void> => webhooks.removeAllOf(tx, organizationId),
  }
}
