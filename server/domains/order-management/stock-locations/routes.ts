import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type, type Static } from 'typebox'
import { locationKinds, StockLocationData } from '#events/order-management.ts'
import { notFound } from '#platform/errors.ts'
import { orderingOf, orderingQuery, pageQuery, sendArray } from '#platform/http/pagination.ts'
import { Body, errorResponses, IdParams, OneOf } from '#platform/http/schemas.ts'
import type { Dependencies } from '../dependencies.ts'
import { createdBetween, createdDateQuery } from '../request-fields.ts'
import { makeLocationChanges } from './change-location.ts'
import { findLocation, listLocations, locationOrderings } from './store.ts'
import { toWire, type LocationFields } from './stock-location.ts'

const Code = Type.String({ minLength: 1, maxLength: 64, examples: ['IST-1'] })
const Name = Type.String({ minLength: 1, maxLength: 255, examples: ['Main warehouse'] })
const Kind = OneOf(locationKinds)
const Address = Type.String({ maxLength: 1000 })
const readOnly = ['id', 'created_date', 'modified_date']

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

const ListQuery = Type.Object({
  ...pageQuery(),
  ...orderingQuery(locationOrderings),
  ...createdDateQuery,
  code: Type.Optional(Type.String()),
  name: Type.Optional(Type.String({ description: 'Part of the name; case makes no difference.' })),
  kind: Type.Optional(Type.Array(Kind)),
  is_active: Type.Optional(Type.Boolean()),
})

const tags = ['Stock locations']
const read = { access: { role: 'staff', scope: 'order-management:read' } } as const
const write = { access: { role: 'staff', scope: 'order-management:write' } } as const

export const stockLocationRoutes =
  (dependencies: Dependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, baseUrl } = dependencies
    const changes = makeLocationChanges(dependencies)

    app.get('/api/v1/stock_locations', { schema: listSchema, config: read }, async (request, reply) => {
      const { page, limit, ordering = 'id', code, name, kind, is_active: isActive } = request.query
      const filters = { code, name, kind, isActive, ...createdBetween(request.query) }
      const { rows, count } = await listLocations(db, filters, { page, limit }, orderingOf(ordering))
      return sendArray(reply, baseUrl(), { page, limit }, { rows: rows.map(toWire), count })
    })

    app.post('/api/v1/stock_locations', { schema: createSchema, config: write }, async (request, reply) =>
      dependencies.write(request, reply, async (tx) => {
        const location = await changes.create(tx, { ...defaults, ...fromWire(request.body) })
        return { status: 201, body: toWire(location) }
      }),
    )

    app.get('/api/v1/stock_locations/:id', { schema: getSchema, config: read }, async (request) => {
      const location = await findLocation(db, request.params.id)
      if (location === undefined) throw notFound()
      return toWire(location)
    })

    app.patch('/api/v1/stock_locations/:id', { schema: updateSchema, config: write }, async (request, reply) =>
      dependencies.write(request, reply, async (tx) => {
        const location = await changes.update(tx, request.params.id, fromWire(request.body))
        return { status: 200, body: toWire(location) }
      }),
    )
  }

const defaults = { kind: 'warehouse', address: '', isActive: true, allowBackorder: false } as const

/** The fields that a body has, and only those. */
const fromWire = <T extends Partial<Static<typeof NewLocation>>>(body: T) => {
  const { code, name, kind, address, is_active: isActive, allow_backorder: allowBackorder } = body
  const fields = { code, name, kind, address, isActive, allowBackorder }
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<LocationFields> & Pick<T, 'code' | 'name'>
}

const listSchema = {
  tags,
  summary: 'List stock locations',
  operationId: 'listStockLocations',
  querystring: ListQuery,
  response: { 200: Type.Array(StockLocationData), ...errorResponses },
}
const createSchema = {
  tags,
  summary: 'Create a stock location',
  operationId: 'createStockLocation',
  body: NewLocation,
  response: { 201: StockLocationData, ...errorResponses },
}
const getSchema = {
  tags,
  summary: 'Read a stock location',
  operationId: 'getStockLocation',
  params: IdParams,
  response: { 200: StockLocationData, ...errorResponses },
}
const updateSchema = {
  tags,
  summary: 'Change, deactivate or reactivate a stock location',
  description:
    'Locations are deactivated, not deleted. One can be deactivated while stock or open work is there. An inactive one takes no new packages, no new transfers from it or to it, and no new stock. Work that is there goes on: packages can be finished, moved away or cancelled; transfers that were handed to it can be made ready, dispatched, received or cancelled, goods that were sent to it arrive, and its stock can be booked out. A transfer that was not yet handed to it as its source can only be cancelled.',
  operationId: 'updateStockLocation',
  params: IdParams,
  body: LocationChanges,
  response: { 200: StockLocationData, ...errorResponses },
}
