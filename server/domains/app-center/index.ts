import { guardMembers, sendableScopes } from './access/index.ts'
import { isProjectScope, type Dependencies } from './dependencies.ts'
import { makeFind } from './find-store.ts'
import { makeFindNeeds } from './needs.ts'
import { listOwnOrganizations, memberRoutes, organizationRoutes } from './organizations/index.ts'
import { projectRoutes } from './projects/index.ts'
import { releaseRoutes } from './releases/index.ts'
import { findOwnedWebhooks, makeWebhooks, readAlertedWebhook, readFailedDelivery } from './webhooks/index.ts'

export { isProjectScope }
export { releaseLifecycles } from './releases/index.ts'

/** Organizations, members, projects, their webhooks, and what is built and distributed (document 1; contract, section 3). */
export const makeAppCenter = (dependencies: Dependencies) => {
  const webhooks = makeWebhooks(dependencies)
  const routes = guardMembers(dependencies.db, [
    organizationRoutes({ ...dependencies, endContents: webhooks.removeWebhooksOf }),
    memberRoutes(dependencies),
    projectRoutes(dependencies),
    releaseRoutes(dependencies),
    ...webhooks.routes,
  ])
  return {
    routes,
    alertedWebhook: readAlertedWebhook,
    failedDelivery: readFailedDelivery,
    findOwned: findOwnedWebhooks,
    organizationsOf: listOwnOrganizations,
    find: makeFind(dependencies.installationId),
    findNeeds: makeFindNeeds(dependencies.vault),
    /** Of the scopes of projects those whose deliveries the user may send again, as a member. */
    sendableScopes,
  }
}
