import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type, type Static } from 'typebox'
import { locationKinds, StockLocationData } from '#events/order-management.ts'
import { recordRoutes } from '#platform/http/record-routes.ts'
import { makeRouteOptions } from '#platform/http/route-options.ts'
import { Body, errorResponses, NotBlank, OneOf } from '#platform/http/schemas.ts'
import { sentFields } from '#platform/sent-fields.ts'
import type { Dependencies } from '../dependencies.ts'
import { reading, writing } from '../routes.ts'
import { makeLocationChanges } from './change-location.ts'
import { findLocation, listLocations, locationList } from './store.ts'
import { toWire, type LocationFields } from './stock-location.ts'

const Code = NotBlank(64, { examples: ['IST-1'] })
const Name = NotBlank(255, { examples: ['Main warehouse'] })
const Kind = OneOf(locationKinds)
const Address = Type.String({ maxLength: 1000 })
const readOnly = ['id', 'created_date', 'modified_date']

const route = makeRouteOptions('Stock locations', errorResponses)

const NewLocation = Body(
  {
    code: Code,
    name: Name,
    kind: Type.Optional(Kind),
    address: Type.Optional(Address),
    is_active: Type.Optional(Type.Boolean()),
    allow_backorder: Type.Optional(Type.Boolean()),
  },
  readOnly,
  {
    title: 'NewStockLocation',
    description: 'A stock location to make.',
    examples: [{ code: 'IST-1', name: 'Main warehouse' }],
  },
)
const LocationChanges = Body(Type.Partial(Type.Object({ ...NewLocation.properties })).properties, readOnly, {
  title: 'StockLocationPatch',
  description: 'Changes of a stock location; what is left out stays.',
  examples: [{ name: 'Main warehouse' }],
})

export const stockLocationRoutes =
  (dependencies: Dependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const changes = makeLocationChanges(dependencies)
    const path = '/api/v1/stock_locations'
    const locations = recordRoutes(app, dependencies, { path, route, record: StockLocationData, toWire })
    locations.list(
      reading('listStockLocations', 'List stock locations', 'Inactive ones too, unless `is_active` says otherwise.'),
      locationList,
      listLocations,
    )
    locations.get(reading('getStockLocation', 'Read a stock location', 'An inactive one too.'), findLocation)
    locations.create(create, NewLocation, (tx, { code, name, ...others }) =>
      changes.create(tx, { ...defaults, ...fromWire(others), code, name }),
    )
    locations.update(update, LocationChanges, (tx, id, body) => changes.update(tx, id, fromWire(body)))
  }

const defaults = { kind: 'warehouse', address: '', isActive: true, allowBackorder: false } as const

/** The fields that a body has, and only those. */
const fromWire = (body: Partial<Static<typeof NewLocation>>): Partial<LocationFields> => {
  const { code, name, kind, address, is_active: isActive, allow_backorder: allowBackorder } = body
  return sentFields({ code, name, kind, address, isActive, allowBackorder })
}

const create = writing('createStockLocation', 'Create a stock location', 'Raises `stock_location.created`.')
const update = writing(
  'updateStockLocation',
  'Change, deactivate or reactivate a stock location',
  'Locations are deactivated, not deleted. One can be deactivated while stock or open work is there. An inactive one takes no new packages, no new transfers from it or to it, and no new stock. Work that is there goes on: packages can be finished, moved away or cancelled; transfers that were handed to it can be made ready, dispatched, received or cancelled, goods that were sent to it arrive, and its stock can be booked out. A transfer that was not yet handed to it as its source can only be cancelled.',
)
