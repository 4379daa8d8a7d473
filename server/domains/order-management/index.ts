import type { Dependencies } from './dependencies.ts'
import { packageRoutes, shippedPackages } from './packages/index.ts'
import { joinRoutes } from './routes.ts'
import { shipmentRoutes } from './shipments/index.ts'
import { stockLocationRoutes } from './stock-locations/index.ts'
import { stockRoutes } from './stock/index.ts'

/** Stock locations, stock, packages and shipments, with the events they raise (fulfilment). */
export const makeOrderManagement = (dependencies: Dependencies) => ({
  routes: joinRoutes([
    stockLocationRoutes(dependencies),
    stockRoutes(dependencies),
    packageRoutes(dependencies),
    shipmentRoutes(dependencies, shippedPackages),
  ]),
})
