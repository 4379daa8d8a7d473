import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { Tx } from '#platform/db/database.ts'
import { envelope } from '#platform/lists/send-list.ts'
import { reading, timeOrNever } from './action-routes.ts'
import { etagOf, contextOf, type RequestContext } from '../rules/request-context.ts'
import type { QuotationDeps } from '../dependencies.ts'
import {
  addDiscountSchema,
  addProductSchema,
  removeDiscountSchema,
  removeProductSchema,
  updateSchema,
} from './edit-schemas.ts'
import { listQuotations } from '../lists/list-store.ts'
import { pathOf } from '../rules/vocabulary.ts'
import type { Quotation } from '../quotation.ts'
import { duplicateSchema, listSchema, roleFor } from './schemas.ts'
import type { Update } from '../actions/update-quotation.ts'
import type { UseCases } from '../use-cases.ts'

const path = pathOf.admin
const writing = (action: 'edit' | 'assign' | 'duplicate') =>
  ({ access: { role: roleFor(action), scope: 'quotations:write' } }) as const

/** What the seller does with quotations (document 3, "Admin surface"). */
export const adminRoutes =
  (deps: QuotationDeps, useCases: UseCases): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, baseUrl } = deps
    const { show, expiry, update, duplicate } = useCases
    const answer = makeAnswer(deps, useCases)

    app.get(path, { schema: listSchema, config: reading.admin }, async (request) => {
      await expiry.expireDue()
      const { rows, count } = await listQuotations(db, 'all', request.query)
      return envelope(request, baseUrl(), { rows: await show.summaries(db, 'admin', rows), count })
    })

    app.patch(`${path}/:id`, { schema: updateSchema, config: writing('assign') }, async (request, reply) => {
      const changes = updateIn(request.body)
      return answer(request, reply, 200, (tx, context) => update(tx, context, request.params.id, changes))
    })

    app.post(
      `${path}/:id/duplicate`,
      { schema: duplicateSchema, config: writing('duplicate') },
      async (request, reply) =>
        answer(request, reply, 201, (tx, context) => duplicate.toDraft(tx, context, request.params.id)),
    )
  }

/** What is done with the terms of a draft. */
export const editRoutes =
  (deps: QuotationDeps, useCases: UseCases): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { edit } = useCases
    const answer = makeAnswer(deps, useCases)

    app.post(`${path}/:id/products`, { schema: addProductSchema, config: writing('edit') }, async (request, reply) => {
      const { product_remote_id: productRemoteId, price, divisions } = request.body
      const product = { productRemoteId, price, divisions }
      return answer(request, reply, 201, (tx, context) => edit.addProduct(tx, context, request.params.id, product))
    })

    app.delete(
      `${path}/:id/products/:item_id`,
      { schema: removeProductSchema, config: writing('edit') },
      async (request, reply) => {
        const { id, item_id: itemId } = request.params
        return answer(request, reply, 200, (tx, context) => edit.removeItem(tx, context, id, itemId))
      },
    )

    app.post(
      `${path}/:id/discounts`,
      { schema: addDiscountSchema, config: writing('edit') },
      async (request, reply) => {
        const { discount_type: type, value, item: itemId = null } = request.body
        return answer(request, reply, 201, (tx, context) =>
          edit.addDiscount(tx, context, request.params.id, { type, value, itemId }),
        )
      },
    )

    app.delete(
      `${path}/:id/discounts/:discount_id`,
      { schema: removeDiscountSchema, config: writing('edit') },
      async (request, reply) => {
        const { id, discount_id: discountId } = request.params
        return answer(request, reply, 200, (tx, context) => edit.removeDiscount(tx, context, id, discountId))
      },
    )
  }

/** Makes what answers a change with the new detail. */
const makeAnswer =
  ({ write }: QuotationDeps, { show, expiry }: UseCases) =>
  async (
    request: FastifyRequest,
    reply: FastifyReply,
    status: 200 | 201,
    change: (tx: Tx, context: RequestContext) => Promise<Quotation>,
  ): Promise<FastifyReply> => {
    await expiry.expireDue([(request.params as { readonly id: number }).id])
    return write(request, reply, async (tx) => {
      const context = contextOf(request, 'admin')
      const quotation = await change(tx, context)
      return { status, body: await show.detail(tx, context, quotation), headers: { etag: etagOf(quotation) } }
    })
  }

/** @throws AppError 400 for a time that is none. */
const updateIn = (body: Static<typeof updateSchema.body>): Update => ({
  name: body.name,
  expiresAt: timeOrNever('expires_at', body.expires_at),
  assignee: typeof body.assignee === 'object' && body.assignee !== null ? body.assignee.id : body.assignee,
  items: body.items?.map(({ id, price, quantity, divisions }) => ({ id, price, quantity, divisions })),
})
