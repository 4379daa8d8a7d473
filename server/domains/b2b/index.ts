import { basketRoutes } from './baskets/index.ts'
import type { Dependencies } from './dependencies.ts'
import { divisionExists, divisionRoutes } from './divisions/index.ts'
import { makeOrdersSlice, type OrdersSliceDeps } from './orders/index.ts'
import { pathAliases } from './path-aliases.ts'
import { productRoutes } from './products/index.ts'
import { makeExpiryService, makeQuotations, makeTellTurns, type TurnDeps } from './quotations/index.ts'
import { settingsRoutes } from './settings/index.ts'

export type { Commerce, OrderFailure, OrderFailures, Requeued } from './orders/index.ts'

export type B2bDeps = OrdersSliceDeps & TurnDeps

/** Who buys, what is sold, and what it is asked for (document 3; quotations). */
export const makeB2b = (deps: B2bDeps) => {
  const { db, clock, write, baseUrl } = deps
  const dependencies: Dependencies = { db, clock, write, baseUrl }
  const orders = makeOrdersSlice(deps)
  const tellTurns = makeTellTurns(deps)
  const quotations = makeQuotations({ ...deps, findPeople: deps.people.findAll, orders, tellTurns })
  return {
    pathAliases,
    /** Whether people can be put into a division. */
    divisionExists,
    /** Has these orders tried again where they failed. @returns what became of each, in their order. */
    retryOrders: orders.retryMany,
    routes: [
      settingsRoutes(dependencies),
      divisionRoutes(dependencies),
      productRoutes(dependencies),
      basketRoutes(dependencies),
      ...quotations.routes,
      orders.routes,
    ],
    /** For processes that work. */
    workers: [makeExpiryService({ ...deps, tellTurns }), ...orders.workers],
  }
}
