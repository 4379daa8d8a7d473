import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { mayCall, type Principal } from '#platform/auth/principal.ts'
import type { Tx } from '#platform/db/database.ts'
import { forbidden, notFound } from '#platform/errors.ts'
import { orderingOf, sendArray } from '#platform/http/pagination.ts'
import type { Dependencies } from '../dependencies.ts'
import { createdBetween } from '../request-fields.ts'
import { makeActOnPackage } from './act-on-package.ts'
import { makeCreatePackage } from './create-package.ts'
import { listHistory, type HistoryEntry } from './history-store.ts'
import { packageLifecycle } from './lifecycle.ts'
import { makePackOrder, type PackOrderDeps } from './pack-order.ts'
import { toWire, type Package } from './package.ts'
import { actionSchema, createSchema, getSchema, historySchema, listSchema, type PackageToCreate } from './schemas.ts'
import { listPackages } from './list-store.ts'
import { findPackage } from './store.ts'

const read = { access: { role: 'staff', scope: 'order-management:read' } } as const
const write = { access: { role: 'staff', scope: 'order-management:write' } } as const

export type PackageDeps = Dependencies & PackOrderDeps

export const packageRoutes =
  (dependencies: PackageDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, baseUrl } = dependencies
    const create = makeCreate(dependencies)
    const actOnPackage = makeActOnPackage(dependencies)

    app.get('/api/v1/packages', { schema: listSchema, config: read }, async (request, reply) => {
      const { page, limit, ordering = '-id', status, number, sku } = request.query
      const { order_number: orderNumber, quotation_order: quotationOrderId, stock_location: locationId } = request.query
      const filters = {
        status,
        number,
        orderNumber,
        quotationOrderId,
        locationId,
        sku,
        ...createdBetween(request.query),
      }
      const { rows, count } = await listPackages(db, filters, { page, limit }, orderingOf(ordering))
      return sendArray(reply, baseUrl(), { page, limit }, { rows: rows.map(toWire), count })
    })

    app.post('/api/v1/packages', { schema: createSchema, config: write }, async (request, reply) => {
      if (typeof request.body.quotation_order === 'number') requireQuotations(request.principal)
      return dependencies.write(request, reply, async (tx) => {
        const parcel = await create(tx, request.body, request.principal.userId)
        return { status: 201, body: toWire(parcel) }
      })
    })

    app.get('/api/v1/packages/:id', { schema: getSchema, config: read }, async (request) => {
      const parcel = await findPackage(db, request.params.id)
      if (parcel === undefined) throw notFound()
      return toWire(parcel)
    })

    app.get('/api/v1/packages/:id/history', { schema: historySchema, config: read }, async (request, reply) => {
      const { id } = request.params
      if ((await findPackage(db, id)) === undefined) throw notFound()
      const { rows, count } = await listHistory(db, id, request.query)
      return sendArray(reply, baseUrl(), request.query, { rows: rows.map(historyToWire), count })
    })

    for (const action of packageLifecycle.actions) {
      app.post(
        `/api/v1/packages/:id/${action}`,
        { schema: actionSchema(action), config: write },
        async (request, reply) =>
          dependencies.write(request, reply, async (tx) => {
            const { stock_location: locationId, disposition } = request.body ?? {}
            const actorId = request.principal.userId
            const parcel = await actOnPackage(tx, {
              packageId: request.params.id,
              action,
              locationId,
              disposition,
              actorId,
            })
            return { status: 200, body: toWire(parcel) }
          }),
      )
    }
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

const historyToWire = (entry: HistoryEntry) => ({
  action: entry.action,
  from_status: entry.fromStatus,
  to_status: entry.toStatus,
  stock_location: entry.locationId,
  actor: entry.actorId,
  created_date: entry.createdAt.toISOString(),
})
