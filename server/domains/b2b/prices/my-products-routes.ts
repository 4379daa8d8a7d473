import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { recordRoutes } from '#platform/http/record-routes.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { OfferedProductShape, offeredToWire } from './my-products.ts'
import { findOffered, listOffered, myProductList } from './my-products-store.ts'

const kind = {
  path: '/api/v1/my-products',
  route: makeRouteOptions('Storefront', errorResponses),
  record: OfferedProductShape,
  toWire: offeredToWire,
  isEnveloped: true,
}
const buyer = operationsFor({ access: { role: 'user', scope: 'quotations:read' } })

/** What buyers fill their baskets from (contract, section 7). Who belongs to no division orders nothing, and sees nothing. */
export const myProductRoutes =
  (dependencies: SliceDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { clock } = dependencies
    const products = recordRoutes(app, dependencies, kind)
    products.list(
      buyer(
        'listMyProducts',
        'List the products that the caller can order',
        'The active ones at the prices of their division, for somebody of one; none for anybody else.',
      ),
      myProductList,
      async (db, query, { principal: { divisionId } }) =>
        divisionId === null ? { rows: [], count: 0 } : listOffered(db, query, { divisionId, at: clock.now() }),
    )
    products.get(
      buyer('getMyProduct', 'Read a product that the caller can order'),
      async (db, id, { principal: { divisionId } }) =>
        divisionId === null ? undefined : findOffered(db, id, { divisionId, at: clock.now() }),
    )
  }
