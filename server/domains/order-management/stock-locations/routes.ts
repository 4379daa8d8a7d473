import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type, type Static } from 'typebox'
import { locationKinds, StockLocationData } from '#events/order-management.ts'
import { makeRouteOptions } from '#platform/http/route-options.ts'
import { Body, errorResponses, IdParams, OneOf } from '#platform/http/schemas.ts'
import { sentFields } from '#platform/sent-fields.ts'
import type { Dependencies } from '../dependencies.ts'
import { readRoutes, writing } from '../routes.ts'
import { makeLocationChanges } from './change-location.ts'
import { findLocation, listLocations, locationList } from './store.ts'
import { toWire, type LocationFields } from './stock-location.ts'

const Code = Type.String({ minLength: 1, maxLength: 64, examples: ['IST-1'] })
const Name = Type.String({ minLength: 1, maxLength: 255, examples: ['Main warehouse'] })
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
  { title: 'NewStockLocation', examples: [{ code: 'IST-1', name: 'Main warehouse' }] },
)
const LocationChanges = Body(Type.Partial(Type.Object({ ...NewLocation.properties })).properties, readOnly, {
  title: 'StockLocationPatch',
  examples: [{ name: 'Main warehouse' }],
})

const path = '/api/v1/stock_locations'
const locations = {
  path,
  name: 'StockLocation',
  words: 'stock location',
  route,
  shape: StockLocationData,
  toWire,
  querystring: locationList.querystring,
  list: listLocations,
  find: findLocation,
}

export const stockLocationRoutes =
  (dependencies: Dependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { write } = dependencies
    const changes = makeLocationChanges(dependencies)

    readRoutes(app, dependencies, locations)
    app.post(path, createOptions, async (request, reply) =>
      write(request, reply, async (tx) => {
        const { code, name, ...others } = request.body
        const location = await changes.create(tx, { ...defaults, ...fromWire(others), code, name })
        return { status: 201, body: toWire(location) }
      }),
    )
    app.patch(`${path}/:id`, updateOptions, async (request, reply) =>
      write(request, reply, async (tx) => {
        const location = await changes.update(tx, request.params.id, fromWire(request.body))
        return { status: 200, body: toWire(location) }
      }),
    )
  }

const defaults = { kind: 'warehouse', address: '', isActive: true, allowBackorder: false } as const

/** The fields that a body has, and only those. */
const fromWire = (body: Partial<Static<typeof NewLocation>>): Partial<LocationFields> => {
  const { code, name, kind, address, is_active: isActive, allow_backorder: allowBackorder } = body
  return sentFields({ code, name, kind, address, isActive, allowBackorder })
}

const createOptions = route(writing('createStockLocation', 'Create a stock location'), {
  body: NewLocation,
  response: { 201: StockLocationData },
})
const updateOptions = route(
  writing(
    'updateStockLocation',
    'Change, deactivate or reactivate a stock location',
    'Locations are deactivated, not deleted. One can be deactivated while stock or open work is there. An inactive one takes no new packages, no new transfers from it or to it, and no new stock. Work that is there goes on: packages can be finished, moved away or cancelled; transfers that were handed to it can be made ready, dispatched, received or cancelled, goods that were sent to it arrive, and its stock can be booked out. A transfer that was not yet handed to it as its source can only be cancelled.',
  ),
  { params: IdParams, body: LocationChanges, response: { 200: StockLocationData } },
)
