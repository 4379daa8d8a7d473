import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { mayCall, type Principal } from '#platform/auth/principal.ts'
import type { Tx } from '#platform/db/database.ts'
import { forbidden } from '#platform/errors.ts'
import { recordRoutes } from '#platform/http/record-routes.ts'
import { Id, Nullable } from '#platform/http/schemas.ts'
import type { Dependencies } from '../dependencies.ts'
import { actionRoutes, reading } from '../routes.ts'
import { historyRoute } from '../stock-documents/index.ts'
import { makeActOnPackage } from './act-on-package.ts'
import { makeCreatePackage, makeCreateShared } from './create-package.ts'
import { packageLifecycle } from './lifecycle.ts'
import { makePackOrder, type PackOrderDeps } from './pack-order.ts'
import { toWire, type Package } from './package.ts'
import { actionTexts, createOptions, PackageShape, route } from './schemas.ts'
import { packageList, packageStore, type PackageChange } from './store.ts'

export type PackageDeps = Dependencies & PackOrderDeps

export const packageRoutes =
  (dependencies: PackageDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const createPackage = makeCreatePackage(dependencies)
    const packOrder = makePackOrder(dependencies)
    const createShared = makeCreateShared(dependencies)
    const path = '/api/v1/packages'
    const packages = recordRoutes(app, dependencies, { path, route, record: PackageShape, toWire })
    packages.list(reading('listPackages', 'List packages'), packageList, packageStore.list)
    packages.get(reading('getPackage', 'Read a package'), packageStore.find)
    historyRoute(app, dependencies, {
      path,
      route,
      operation: reading('listPackageHistory', 'List the changes of a package, oldest first'),
      lifecycle: packageLifecycle,
      own: { stock_location: Nullable(Id) },
      ownToWire: ({ locationId }: PackageChange) => ({ stock_location: locationId }),
      store: packageStore,
    })
    app.post(path, createOptions, async (request, reply) => {
      const { body, principal } = request
      const { userId: actorId } = principal
      const { stock_location: locationId = null, items } = body
      const answer = (create: (tx: Tx) => Promise<Package>) =>
        dependencies.write(request, reply, async (tx) => ({ status: 201, body: toWire(await create(tx)) }))
      if (typeof body.quotation_order === 'number') {
        requireQuotations(principal)
        const order = { orderId: body.quotation_order, orderNumber: body.order_number, locationId, items }
        return answer((tx) => packOrder(tx, order, actorId))
      }
      const fields = { orderNumber: body.order_number, locationId, items: body.items }
      // What is stored under an Idempotency-Key is stored together with its answer.
      if (request.headers['idempotency-key'] !== undefined) return answer((tx) => createPackage(tx, fields, actorId))
      return reply.code(201).send(toWire(await createShared({ fields, actorId })))
    })
    const act = makeActOnPackage(dependencies)
    actionRoutes(packages, { name: 'Package', lifecycle: packageLifecycle, texts: actionTexts, act })
  }

/** What is in an order of a quotation is told only to who may read it, and also whether there is one. @throws AppError 403. */
const requireQuotations = (principal: Principal): void => {
  const scope = 'quotations:read'
  if (!mayCall(principal, { role: 'staff', scope })) throw forbidden(`This key lacks the scope ${scope}.`)
}
