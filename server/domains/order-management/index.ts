import { find } from './find-store.ts'
import { eventRoutes, forgetEventIds, makeRaiseMessages } from './events/index.ts'
import { mayCall } from '#platform/auth/principal.ts'
import { needOf, type FindNeeds } from '#platform/need.ts'
import { countPackages, packageRoutes, packagesOfOrders, shippedPackages, type PackageDeps } from './packages/index.ts'
import { joinRoutes } from './routes.ts'
import { shipmentRoutes } from './shipments/index.ts'
import { anyLocation, stockLocationRoutes } from './stock-locations/index.ts'
import { ledgerRoutes, stockRoutes } from './stock/index.ts'
import { transferRoutes, transferStore } from './transfers/index.ts'

export { packageLifecycle, type HoldQuotationOrder } from './packages/index.ts'
export { shipmentLifecycle } from './shipments/index.ts'
export { transferLifecycle } from './transfers/index.ts'

const findNeeds: FindNeeds<'packages_to_pack' | 'packages_to_ship'> = async (db, principal) => {
  if (!mayCall(principal, { role: 'staff', scope: 'order-management:read' })) return []
  const { toPack, toShip } = await countPackages(db)
  return [
    needOf('packages_to_pack', '/packages?status=created&status=transitioned', toPack),
    needOf('packages_to_ship', '/packages?status=packed', toShip),
  ]
}

/** Stock locations, stock, packages, shipments and transfers, with the events they raise (fulfilment). */
export const makeOrderManagement = (dependencies: PackageDeps & Parameters<typeof eventRoutes>[0]) => ({
  routes: joinRoutes([
    stockLocationRoutes(dependencies),
    stockRoutes(dependencies),
    ledgerRoutes(dependencies),
    packageRoutes(dependencies),
    shipmentRoutes(dependencies, { packages: shippedPackages, transfers: transferStore }),
    transferRoutes(dependencies),
    eventRoutes(dependencies),
  ]),
  find,
  findNeeds,
  /** Raises the events of messages of brokers. */
  raiseMessages: makeRaiseMessages(dependencies),
  /** The packages of orders of quotations. */
  packagesOfOrders,
  /** Whether there is a stock location. */
  anyLocation: () => anyLocation(dependencies.db),
  /** Forgets ids of events that are not kept any more. Nothing depends on it but space. */
  tidy: () => forgetEventIds(dependencies.db),
})
