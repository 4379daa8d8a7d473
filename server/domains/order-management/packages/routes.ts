import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { packageStatuses } from '#events/order-management.ts'
import { mayCall, type Principal } from '#platform/auth/principal.ts'
import type { Tx } from '#platform/db/database.ts'
import { forbidden } from '#platform/errors.ts'
import { countRoute } from '#platform/lists/count-routes.ts'
import { recordRoutes } from '#platform/http/record-routes.ts'
import { Id, Nullable } from '#platform/http/schemas.ts'
import type { Dependencies } from '../dependencies.ts'
import { actionRoutes, reading } from '../routes.ts'
import { historyRoute } from '../stock-documents/index.ts'
import { makeActOnPackage } from './act-on-package.ts'
import { makeCreatePackage, makePackOrder, type PackOrderDeps } from './pack-order.ts'
import { packageLifecycle } from './lifecycle.ts'
import { toWire, type Package } from './package.ts'
import { actionTexts, createOptions, PackageShape, route, type PackageToCreate } from './schemas.ts'
import { countPackagesByStatus, packageList, packageStore } from './store.ts'

export type PackageDeps = Dependencies & PackOrderDeps

export const packageRoutes =
  (dependencies: PackageDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const create = makeCreate(dependencies)
    const path = '/api/v1/packages'
    const packages = recordRoutes(app, dependencies, { path, route, record: PackageShape, toWire })
    packages.list(reading('listPackages', 'List packages'), packageList, packageStore.list)
    packages.get(
      reading('getPackage', 'Read a package', '`allowed_actions` are the operations that are possible now.'),
      packageStore.find,
    )
    countRoute(app, {
      path,
      route,
      operation: reading(
        'countPackages',
        'Count packages by their status',
        'Those that fit the other filters of the list.',
      ),
      list: packageList,
      values: packageStatuses,
      title: 'PackageCounts',
      what: 'packages',
      count: (query) => countPackagesByStatus(dependencies.db, query),
    })
    historyRoute(app, dependencies, {
      path,
      route,
      operation: reading(
        'listPackageHistory',
        'List the changes of a package, oldest first',
        'Every change of its status: when, from what, to what, and by whom.',
      ),
      lifecycle: packageLifecycle,
      own: { stock_location: Nullable(Id) },
      ownColumns: { stock_location: 'locationId' },
      store: packageStore,
    })
    app.post(path, createOptions, async (request, reply) => {
      if (typeof request.body.quotation_order === 'number') requireQuotations(request.principal)
      return dependencies.write(request, reply, async (tx) => {
        const parcel = await create(tx, request.body, request.principal.userId)
        return { status: 201, body: toWire(parcel) }
      })
    })
    const act = makeActOnPackage(dependencies)
    actionRoutes(packages, { name: 'Package', lifecycle: packageLifecycle, texts: actionTexts, act })
  }

const makeCreate = (dependencies: PackageDeps) => {
  const createPackage = makeCreatePackage(dependencies)
  const packOrder = makePackOrder(dependencies)
  return (tx: Tx, body: PackageToCreate, actorId: number): Promise<Package> => {
    const { stock_location: locationId = null } = body
    if (typeof body.quotation_order !== 'number') {
      return createPackage(tx, { orderNumber: body.order_number, locationId, items: body.items }, actorId)
    }
    const { quotation_order: orderId, order_number: orderNumber, items } = body
    return packOrder(tx, { orderId, orderNumber, locationId, items }, actorId)
  }
}

/** What is in an order of a quotation is told only to who may read it, and also whether there is one. @throws AppError 403. */
const requireQuotations = (principal: Principal): void => {
  const scope = 'quotations:read'
  if (!mayCall(principal, { role: 'staff', scope })) throw forbidden(`This key lacks the scope ${scope}.`)
}
