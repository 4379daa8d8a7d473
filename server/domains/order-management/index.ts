import { eventRoutes, forgetEventIds } from './events/index.ts'
import { packageRoutes, shippedPackages, type PackageDeps } from './packages/index.ts'
import { joinRoutes } from './routes.ts'
import { shipmentRoutes } from './shipments/index.ts'
import { stockLocationRoutes } from './stock-locations/index.ts'
import { stockRoutes } from './stock/index.ts'
import { transferRoutes, transferStore } from './transfers/index.ts'

export { packageLifecycle, type HoldQuotationOrder } from './packages/index.ts'
export { shipmentLifecycle } from './shipments/index.ts'
export { transferLifecycle } from './transfers/index.ts'

/** Stock locations, stock, packages, shipments and transfers, with the events they raise (fulfilment). */
export const makeOrderManagement = (dependencies: PackageDeps & Parameters<typeof eventRoutes>[0]) => ({
  routes: joinRoutes([
    stockLocationRoutes(dependencies),
    stockRoutes(dependencies),
    packageRoutes(dependencies),
    shipmentRoutes(dependencies, { packages: shippedPackages, transfers: transferStore }),
    transferRoutes(dependencies),
    eventRoutes(dependencies),
  ]),
  /** Forgets ids of events that are not kept any more. Nothing depends on it but space. */
  tidy: () => forgetEventIds(dependencies.db),
})
