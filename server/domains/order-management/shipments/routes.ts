import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sentFields } from '#platform/sent-fields.ts'
import type { Dependencies } from '../dependencies.ts'
import { readRoutes } from '../routes.ts'
import { makeShipmentChanges, type CarriedThings } from './change-shipment.ts'
import { cancelOptions, createOptions, ShipmentShape, route, updateOptions } from './schemas.ts'
import { toWire } from './shipment.ts'
import { findShipment, listShipments, shipmentList } from './store.ts'

const path = '/api/v1/shipments'
const kind = {
  path,
  name: 'Shipment',
  words: 'shipment',
  route,
  shape: ShipmentShape,
  toWire,
  querystring: shipmentList.querystring,
  list: listShipments,
  find: findShipment,
}

export const shipmentRoutes =
  (dependencies: Dependencies, carried: CarriedThings): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { write } = dependencies
    const changes = makeShipmentChanges({ ...dependencies, ...carried })

    readRoutes(app, dependencies, kind)
    app.post(path, createOptions, async (request, reply) =>
      write(request, reply, async (tx) => {
        const { carrier, awb_number: awbNumber = null, tracking_url: trackingUrl = null } = request.body
        const shipment = await changes.create(tx, request.body.package, { carrier, awbNumber, trackingUrl })
        return { status: 201, body: toWire(shipment) }
      }),
    )
    app.patch(`${path}/:id`, updateOptions, async (request, reply) =>
      write(request, reply, async (tx) => {
        const { carrier, awb_number: awbNumber, tracking_url: trackingUrl, status } = request.body
        const sent = sentFields({ carrier, awbNumber, trackingUrl, status })
        return { status: 200, body: toWire(await changes.update(tx, request.params.id, sent)) }
      }),
    )
    app.post(`${path}/:id/cancel`, cancelOptions, async (request, reply) =>
      write(request, reply, async (tx) => ({
        status: 200,
        body: toWire(await changes.cancel(tx, request.params.id)),
      })),
    )
  }
