import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { orNotFound } from '#platform/errors.ts'
import { pageOf, type Page } from '#platform/lists/page.ts'
import { sendList } from '#platform/lists/send-list.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { contextOf } from '../quotations/index.ts'
import type { makeByHand } from './by-hand.ts'
import type { makeOrders } from './make-orders.ts'
import { itemsToWire, moneyText } from './order.ts'
import { findHead } from './quotation-store.ts'
import { createOptions, listOptions, previewOptions, retryAllOptions, retryOneOptions } from './schemas.ts'
import type { ShowOrders } from './show-orders.ts'
import { longestPage } from './store.ts'

const path = '/api/v1/quotations/:id'
const firstPage: Page = { page: 1, limit: longestPage }

export interface OrderRoutesDeps extends Pick<SliceDeps, 'db' | 'write' | 'baseUrl'> {
  readonly orders: Pick<ReturnType<typeof makeOrders>, 'preview'>
  readonly byHand: ReturnType<typeof makeByHand>
  readonly show: ShowOrders
}

/** The orders of quotations (contract, section 7). */
export const orderRoutes =
  ({ db, write: answerWrite, baseUrl, orders, byHand, show }: OrderRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(`${path}/orders`, listOptions, async ({ params, query }, reply) => {
      orNotFound(await findHead(db, params.id))
      return sendList(reply, baseUrl(), await show.page(db, params.id, query))
    })

    app.get(`${path}/order-preview`, previewOptions, async (request, reply) => {
      const { params, query } = request
      const { currency, orders: planned } = await orders.preview(db, contextOf(request, 'admin'), params.id)
      return sendList(reply, baseUrl(), pageOf(planned, query), ({ division, batchNo, quantity, amount, items }) => ({
        division: { id: division.id, name: division.name },
        batch_no: batchNo,
        quantity,
        amount: moneyText(amount, currency),
        items: itemsToWire(items, currency),
      }))
    })

    app.post(`${path}/create-orders`, createOptions, async (request, reply) =>
      answerWrite(request, reply, async (tx) => {
        await byHand.create(tx, contextOf(request, 'admin'), request.params.id)
        const { rows, count } = await show.page(tx, request.params.id, firstPage)
        return { status: 200, body: rows, headers: { 'x-total-count': String(count) } }
      }),
    )

    app.post(`${path}/orders/:order_id/retry`, retryOneOptions, async (request, reply) =>
      answerWrite(request, reply, async (tx) => {
        const { id: quotationId, order_id: orderId } = request.params
        const order = await byHand.retryOne(tx, contextOf(request, 'admin'), quotationId, orderId)
        return { status: 202, body: await show.one(tx, order) }
      }),
    )

    app.post(`${path}/orders/retry`, retryAllOptions, async (request, reply) =>
      answerWrite(request, reply, async (tx) => {
        const count = await byHand.retryAll(tx, contextOf(request, 'admin'), request.params.id)
        return { status: 202, body: { count } }
      }),
    )
  }
