import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import { notFound } from '#platform/errors.ts'
import { orderingOf, sendArray } from '#platform/http/pagination.ts'
import type { Dependencies } from '../dependencies.ts'
import { createdBetween } from '../request-fields.ts'
import { makeActOnTransfer } from './act-on-transfer.ts'
import { makeCreateTransfer, type TransferPlan } from './create-transfer.ts'
import { listHistory, type HistoryEntry } from './history-store.ts'
import { transferLifecycle } from './lifecycle.ts'
import { listTransfers } from './list-store.ts'
import { actionSchema, createSchema, getSchema, historySchema, listSchema } from './schemas.ts'
import { findTransfer } from './store.ts'
import { toWire } from './transfer.ts'

const read = { access: { role: 'staff', scope: 'order-management:read' } } as const
const write = { access: { role: 'staff', scope: 'order-management:write' } } as const

export const transferRoutes =
  (dependencies: Dependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, baseUrl } = dependencies
    const createTransfer = makeCreateTransfer(dependencies)
    const actOnTransfer = makeActOnTransfer(dependencies)

    app.get('/api/v1/transfers', { schema: listSchema, config: read }, async (request, reply) => {
      const { page, limit, ordering = '-id', status, number, sku } = request.query
      const { from_location: fromLocationId, to_location: toLocationId, package: packageId } = request.query
      const filters = {
        status,
        number,
        sku,
        fromLocationId,
        toLocationId,
        packageId,
        ...createdBetween(request.query),
      }
      const { rows, count } = await listTransfers(db, filters, { page, limit }, orderingOf(ordering))
      return sendArray(reply, baseUrl(), { page, limit }, { rows: rows.map(toWire), count })
    })

    app.post('/api/v1/transfers', { schema: createSchema, config: write }, async (request, reply) =>
      dependencies.write(request, reply, async (tx) => {
        const transfer = await createTransfer(tx, planFrom(request.body), request.principal.userId)
        return { status: 201, body: toWire(transfer) }
      }),
    )

    app.get('/api/v1/transfers/:id', { schema: getSchema, config: read }, async (request) => {
      const transfer = await findTransfer(db, request.params.id)
      if (transfer === undefined) throw notFound()
      return toWire(transfer)
    })

    app.get('/api/v1/transfers/:id/history', { schema: historySchema, config: read }, async (request, reply) => {
      const { id } = request.params
      if ((await findTransfer(db, id)) === undefined) throw notFound()
      const { rows, count } = await listHistory(db, id, request.query)
      return sendArray(reply, baseUrl(), request.query, { rows: rows.map(historyToWire), count })
    })

    for (const action of transferLifecycle.actions) {
      app.post(
        `/api/v1/transfers/:id/${action}`,
        { schema: actionSchema(action), config: write },
        async (request, reply) =>
          dependencies.write(request, reply, async (tx) => {
            const { items, reason, disposition } = request.body ?? {}
            const transfer = await actOnTransfer(tx, {
              transferId: request.params.id,
              action,
              disposition,
              receipt: { items, reason },
              actorId: request.principal.userId,
            })
            return { status: 200, body: toWire(transfer) }
          }),
      )
    }
  }

const planFrom = (body: Static<typeof createSchema.body>): TransferPlan => {
  const { carrier, awb_number: awbNumber = null, tracking_url: trackingUrl = null } = body
  return {
    fromLocationId: body.from_location,
    toLocationId: body.to_location,
    packageId: body.package ?? null,
    items: body.items,
    shipment: { ...(carrier === undefined ? {} : { carrier }), awbNumber, trackingUrl },
  }
}

const historyToWire = (entry: HistoryEntry) => ({
  action: entry.action,
  from_status: entry.fromStatus,
  to_status: entry.toStatus,
  reason: entry.reason,
  disposition: entry.disposition,
  actor: entry.actorId,
  created_date: entry.createdAt.toISOString(),
})
