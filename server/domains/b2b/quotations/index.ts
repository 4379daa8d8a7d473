import { actionRoutes } from './action-routes.ts'
import { adminRoutes, editRoutes } from './admin-routes.ts'
import { commentRoutes } from './comment-routes.ts'
import type { QuotationDeps } from './dependencies.ts'
import { auditRoutes, revisionRoutes } from './revision-routes.ts'
import { storefrontRoutes } from './storefront-routes.ts'
import { makeUseCases } from './use-cases.ts'

export { recordAudit } from './audit-store.ts'
export { permit, permittedTo, whoOf, type Who } from './caller.ts'
export type { QuotationDeps } from './dependencies.ts'
export { makeFindFacts, makeHoldQuotation, visibleQuotation } from './hold-quotation.ts'
export { makeExpiryService } from './let-time-pass.ts'
export { quotationFilters, quotationOrderings } from './list-store.ts'
export { mostOrders, type Quotation } from './quotation.ts'
export { answers, ifMatch } from './schemas.ts'
export { Amount, QuotationOrder } from './terms-schemas.ts'
export { selectionOf } from './selection-store.ts'
export { followDivisions, isOfTree } from './tree-store.ts'
export { makeTellTurns, type TurnDeps } from './turns/tell-turns.ts'
export { quotationStatuses, refusals, rules, type Cell, type Rule } from './transitions.ts'

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
      ...(['storefront', 'admin'] as const).flatMap((surface) => [
        actionRoutes(deps, useCases, surface),
        commentRoutes(deps, useCases, surface),
        revisionRoutes(deps, useCases, surface),
      ]),
    ],
  }
}
