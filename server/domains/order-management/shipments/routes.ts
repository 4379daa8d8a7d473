import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { shipmentStatuses } from '#events/order-management.ts'
import { countRoute } from '#platform/lists/count-routes.ts'
import { recordRoutes } from '#platform/http/record-routes.ts'
import { OptionalBody } from '#platform/http/schemas.ts'
import { sentFields } from '#platform/sent-fields.ts'
import type { Dependencies } from '../dependencies.ts'
import { reading, writing } from '../routes.ts'
import { makeShipmentChanges, type CarriedThings } from './change-shipment.ts'
import { create, NewShipment, route, ShipmentChanges, ShipmentShape, update } from './schemas.ts'
import { toWire } from './shipment.ts'
import { countShipments, findShipment, listShipments, shipmentList } from './store.ts'

export const shipmentRoutes =
  (dependencies: Dependencies, carried: CarriedThings): FastifyPluginAsyncTypebox =>
  async (app) => {
    const changes = makeShipmentChanges({ ...dependencies, ...carried })
    const path = '/api/v1/shipments'
    const shipments = recordRoutes(app, dependencies, { path, route, record: ShipmentShape, toWire })
    shipments.list(reading('listShipments', 'List shipments'), shipmentList, listShipments)
    shipments.get(
      reading('getShipment', 'Read a shipment', '`allowed_statuses` are what it can become now.'),
      findShipment,
    )
    countRoute(app, {
      path,
      route,
      operation: reading(
        'countShipments',
        'Count shipments by their status',
        'Those that fit the other filters of the list.',
      ),
      list: shipmentList,
      values: shipmentStatuses,
      title: 'ShipmentCounts',
      what: 'shipments',
      count: (query) => countShipments(dependencies.db, query),
    })
    shipments.create(create, NewShipment, (tx, body) => {
      const { package: packageId, carrier, awb_number: awbNumber = null, tracking_url: trackingUrl = null } = body
      return changes.create(tx, packageId, { carrier, awbNumber, trackingUrl })
    })
    shipments.update(update, ShipmentChanges, (tx, id, body) => {
      const { carrier, awb_number: awbNumber, tracking_url: trackingUrl, status } = body
      return changes.update(tx, id, sentFields({ carrier, awbNumber, trackingUrl, status }))
    })
    const cancel = writing('cancelShipment', 'Cancel the shipment of a package before it is under way')
    shipments.act('cancel', cancel, OptionalBody({}), changes.cancel)
  }
