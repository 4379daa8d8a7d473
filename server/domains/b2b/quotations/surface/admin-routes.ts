import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import { countRoute } from '#platform/lists/count-routes.ts'
import { envelope } from '#platform/lists/send-list.ts'
import { makeAnswer, timeOrNever } from './action-routes.ts'
import type { QuotationDeps } from '../dependencies.ts'
import * as options from './edit-schemas.ts'
import { countQuotationsByStatus, listQuotations } from '../lists/list-store.ts'
import { pathOf } from '../rules/vocabulary.ts'
import { counting, duplicate as duplicateOptions, list } from './schemas.ts'
import type { Update } from '../actions/update-quotation.ts'
import type { UseCases } from '../use-cases.ts'

const path = pathOf.admin

/** What the seller does with quotations (document 3, "Admin surface"). */
export const adminRoutes =
  (deps: QuotationDeps, useCases: UseCases): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, baseUrl } = deps
    const { show, expiry, update, duplicate } = useCases
    const answer = makeAnswer(deps, useCases, 'admin')

    app.get(path, list, async (request, reply) => {
      const find = () => listQuotations(db, 'all', request.query)
      // Nearly always nothing is due, so both are asked at once.
      const [hasExpired, first] = await Promise.all([expiry.expireDue(), find()])
      const { rows, ...found } = hasExpired ? await find() : first
      return envelope(reply, baseUrl(), { rows: await show.summaries(db, 'admin', rows), ...found })
    })

    countRoute(app, {
      ...counting.admin,
      path,
      count: async (query) => {
        await expiry.expireDue()
        return countQuotationsByStatus(db, 'all', query)
      },
    })

    app.patch(`${path}/:id`, options.update, async (request, reply) => {
      const changes = updateIn(request.body)
      return answer(request, reply, 200, (tx, context) => update(tx, context, request.params.id, changes))
    })

    app.post(`${path}/:id/duplicate`, duplicateOptions, async (request, reply) =>
      answer(request, reply, 201, (tx, context) => duplicate.toDraft(tx, context, request.params.id)),
    )
  }

/** What is done with the terms of a draft. */
export const editRoutes =
  (deps: QuotationDeps, useCases: UseCases): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { edit } = useCases
    const answer = makeAnswer(deps, useCases, 'admin')

    app.post(`${path}/:id/products`, options.addProduct, async (request, reply) => {
      const { product_remote_id: productRemoteId, price, divisions } = request.body
      const product = { productRemoteId: String(productRemoteId), price, divisions }
      return answer(request, reply, 201, (tx, context) => edit.addProduct(tx, context, request.params.id, product))
    })

    app.delete(`${path}/:id/products/:item_id`, options.removeProduct, async (request, reply) => {
      const { id, item_id: itemId } = request.params
      return answer(request, reply, 200, (tx, context) => edit.removeItem(tx, context, id, itemId))
    })

    app.post(`${path}/:id/discounts`, options.addDiscount, async (request, reply) => {
      const { discount_type: type, value, item: itemId = null } = request.body
      return answer(request, reply, 201, (tx, context) =>
        edit.addDiscount(tx, context, request.params.id, { type, value, itemId }),
      )
    })

    app.delete(`${path}/:id/discounts/:discount_id`, options.removeDiscount, async (request, reply) => {
      const { id, discount_id: discountId } = request.params
      return answer(request, reply, 200, (tx, context) => edit.removeDiscount(tx, context, id, discountId))
    })
  }

/** @throws AppError 400 for a time that is none. */
const updateIn = (body: Static<typeof options.update.schema.body>): Update => ({
  name: body.name,
  expiresAt: timeOrNever('expires_at', body.expires_at),
  assignee: typeof body.assignee === 'object' && body.assignee !== null ? body.assignee.id : body.assignee,
  items: body.items?.map(({ id, price, quantity, divisions }) => ({ id, price, quantity, divisions })),
})
