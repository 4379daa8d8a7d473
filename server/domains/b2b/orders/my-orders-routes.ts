import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type, type Static } from 'typebox'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { Envelope, envelope } from '#platform/lists/send-list.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { listMyOrders, myOrderList } from './my-orders-store.ts'
import { ListedOrderShape } from './order.ts'
import type { ShowOrders } from './show-orders.ts'

const { id, number, quotation, division, quantity, amount, currency, status, ...others } = ListedOrderShape.properties
const { remote_number, created_at, packages } = others
const MyOrder = Type.Object(
  { id, number, quotation, division, quantity, amount, currency, status, remote_number, created_at, packages },
  { title: 'MyOrder', description: 'An order of a quotation of the caller, or of its tree.' },
)
const read = operationsFor({ access: { role: 'user', scope: 'quotations:read' } })
const options = makeRouteOptions('My quotations', errorResponses)(
  read(
    'listMyOrders',
    'List the orders of the quotations of the caller, or of the tree of its main division',
    'The newest first, each with the packages that were made of it.',
  ),
  { querystring: myOrderList.querystring, response: { 200: Envelope(MyOrder) } },
)

interface MyOrdersDeps extends Pick<SliceDeps, 'db' | 'baseUrl'> {
  readonly show: Pick<ShowOrders, 'listed'>
}

/** What has become of what a buyer asked for. */
export const myOrderRoutes =
  ({ db, baseUrl, show }: MyOrdersDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/v1/my-orders', options, async (request, reply) => {
      const { scope: wanted, ...query } = request.query
      const { userId, divisionId } = request.principal
      const scope = wanted === 'tree' ? { tree: divisionId } : { owner: userId }
      const { rows, ...found } = await listMyOrders(db, scope, query)
      const orders: Static<typeof MyOrder>[] = await show.listed(db, rows)
      return envelope(reply, baseUrl(), { ...found, rows: orders })
    })
  }
