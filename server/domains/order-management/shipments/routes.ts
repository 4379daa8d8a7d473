import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { notFound } from '#platform/errors.ts'
import { orderingOf, sendArray } from '#platform/http/pagination.ts'
import type { Dependencies } from '../dependencies.ts'
import { createdBetween } from '../request-fields.ts'
import { makeShipmentChanges, type CarriedThings, type ShipmentChanges } from './change-shipment.ts'
import { toWire } from './shipment.ts'
import { cancelSchema, createSchema, getSchema, listSchema, updateSchema } from './schemas.ts'
import { findShipment, listShipments } from './store.ts'

const read = { access: { role: 'staff', scope: 'order-management:read' } } as const
const write = { access: { role: 'staff', scope: 'order-management:write' } } as const

export const shipmentRoutes =
  (dependencies: Dependencies, carried: CarriedThings): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, baseUrl } = dependencies
    const changes = makeShipmentChanges({ ...dependencies, ...carried })

    app.get('/api/v1/shipments', { schema: listSchema, config: read }, async (request, reply) => {
      const { page, limit, ordering = '-id', package: packageId, transfer: transferId } = request.query
      const { status, carrier, awb_number: awbNumber } = request.query
      const filters = { packageId, transferId, status, carrier, awbNumber, ...createdBetween(request.query) }
      const { rows, count } = await listShipments(db, filters, { page, limit }, orderingOf(ordering))
      return sendArray(reply, baseUrl(), { page, limit }, { rows: rows.map(toWire), count })
    })

    app.post('/api/v1/shipments', { schema: createSchema, config: write }, async (request, reply) =>
      dependencies.write(request, reply, async (tx) => {
        const {
          package: packageId,
          carrier,
          awb_number: awbNumber = null,
          tracking_url: trackingUrl = null,
        } = request.body
        const shipment = await changes.create(tx, packageId, { carrier, awbNumber, trackingUrl })
        return { status: 201, body: toWire(shipment) }
      }),
    )

    app.get('/api/v1/shipments/:id', { schema: getSchema, config: read }, async (request) => {
      const shipment = await findShipment(db, request.params.id)
      if (shipment === undefined) throw notFound()
      return toWire(shipment)
    })

    app.patch('/api/v1/shipments/:id', { schema: updateSchema, config: write }, async (request, reply) =>
      dependencies.write(request, reply, async (tx) => {
        const { carrier, awb_number: awbNumber, tracking_url: trackingUrl, status } = request.body
        const shipment = await changes.update(
          tx,
          request.params.id,
          present({ carrier, awbNumber, trackingUrl, status }),
        )
        return { status: 200, body: toWire(shipment) }
      }),
    )

    app.post('/api/v1/shipments/:id/cancel', { schema: cancelSchema, config: write }, async (request, reply) =>
      dependencies.write(request, reply, async (tx) => ({
        status: 200,
        body: toWire(await changes.cancel(tx, request.params.id)),
      })),
    )
  }

type Maybe<T> = { [K in keyof T]: T[K] | undefined }

/** Only the fields that were sent. */
const present = (fields: Required<Maybe<ShipmentChanges>>): ShipmentChanges =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
