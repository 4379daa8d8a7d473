import { actionRoutes } from './surface/action-routes.ts'
import { adminRoutes, editRoutes } from './surface/admin-routes.ts'
import { commentRoutes } from './history/comment-routes.ts'
import type { QuotationDeps } from './dependencies.ts'
import { auditRoutes, revisionRoutes } from './history/revision-routes.ts'
import { lastPricesRoutes } from './history/last-prices-routes.ts'
import { seenRoutes } from './history/seen-routes.ts'
import { storefrontRoutes } from './surface/storefront-routes.ts'
import { viewerRoutes } from './viewers/viewer-routes.ts'
import { makeUseCases } from './use-cases.ts'

export { recordAudit } from './history/audit-store.ts'
export { contextOf, type RequestContext } from './rules/request-context.ts'
export type { QuotationDeps } from './dependencies.ts'
export { makeFindPermissions, makeHoldQuotation, visibleQuotation, type HeldQuotation } from './rules/hold-quotation.ts'
export { makeExpiryService } from './time/let-time-pass.ts'
export { countQuotations } from './lists/count-store.ts'
export { countExpiring } from './time/expiry-store.ts'
export { expiringStatuses } from './rules/permissions.ts'
export { quotationList, quotationOrderings, selectionOf } from './lists/list-store.ts'
export { maxOrders } from './rules/conditions.ts'
export { ifMatch, stale } from './surface/schemas.ts'
export { QuotationOrder } from './terms/terms-schemas.ts'
export { findQuotation, followDivisions } from './store.ts'
export { makeRemainingOf } from './limits/monthly-limit.ts'
export { makeNotify, type NotifyDeps } from './mail/notify.ts'
export { quotationLifecycle } from './rules/transitions.ts'

/** Purchase offers: what buyers ask for, and what sellers make of it (document 3; quotations). */
export const makeQuotations = (deps: QuotationDeps) => {
  const useCases = makeUseCases(deps)
  return {
    expiry: useCases.expiry,
    routes: [
      storefrontRoutes(deps, useCases),
      adminRoutes(deps, useCases),
      editRoutes(deps, useCases),
      auditRoutes(deps, useCases),
      seenRoutes(deps),
      lastPricesRoutes(deps, useCases),
      viewerRoutes(deps),
      ...(['storefront', 'admin'] as const).flatMap((surface) => [
        actionRoutes(deps, useCases, surface),
        commentRoutes(deps, useCases, surface),
        revisionRoutes(deps, useCases, surface),
      ]),
    ],
  }
}
