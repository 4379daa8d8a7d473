import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { orNotFound } from '#platform/errors.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { recordRoutes } from '#platform/http/record-routes.ts'
import { contextOf } from '../quotations/index.ts'
import type { makeByHand } from './by-hand.ts'
import { read, retryMatchingOptions, retryOptions } from './list-schemas.ts'
import { allOrderList, findListedOrder, listOrders, type OrderFilters } from './list-store.ts'
import { ListedOrderShape } from './order.ts'
import type { RetryMatching } from './retry-matching.ts'
import { route } from './schemas.ts'
import type { ShowOrders } from './show-orders.ts'

const path = '/api/v1/orders'

export interface OrderListRoutesDeps extends Pick<SliceDeps, 'db' | 'write' | 'baseUrl'> {
  readonly byHand: Pick<ReturnType<typeof makeByHand>, 'retryOne'>
  readonly retryMatching: RetryMatching
  readonly show: Pick<ShowOrders, 'listed'>
}

/** The orders of all quotations: found, and tried again. */
export const orderListRoutes =
  ({ byHand, retryMatching, show, ...deps }: OrderListRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, write: answerWrite } = deps
    const orders = recordRoutes(app, deps, { path, route, record: ListedOrderShape, toWire: (order) => order })
    orders.list(
      read(
        'listOrders',
        'List the orders of all quotations',
        'For one look at what failed, whatever quotation it is of.',
      ),
      allOrderList,
      async (from, query) => {
        const { rows, ...found } = await listOrders(from, query)
        return { ...found, rows: await show.listed(from, rows) }
      },
    )
    orders.get(read('getOrder', 'Read an order'), async (from, id) => {
      const order = await findListedOrder(from, id)
      return order && (await show.listed(from, [order]))[0]
    })

    app.post(`${path}/:id/retry`, retryOptions, async (request, reply) =>
      answerWrite(request, reply, async (tx) => {
        const { id } = request.params
        const { quotationId } = orNotFound(await findListedOrder(tx, id))
        await byHand.retryOne(tx, contextOf(request, 'admin'), quotationId, id)
        const [order] = await show.listed(tx, [orNotFound(await findListedOrder(tx, id))])
        return { status: 202, body: order }
      }),
    )

    app.post(`${path}/retry`, retryMatchingOptions, async (request, reply) => {
      const { dry_run: isDryRun, ...filters } = request.query as OrderFilters
      // Changes nothing, so an Idempotency-Key that was used for it is still good for the retry itself.
      if (isDryRun === true) return reply.code(200).send(await retryMatching.count(db, filters))
      return answerWrite(request, reply, async (tx) => ({
        status: 202,
        body: await retryMatching.retry(tx, contextOf(request, 'admin'), filters),
      }))
    })
  }
