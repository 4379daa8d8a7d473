import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Tx } from '#platform/db/database.ts'
import { timeFrom } from '#platform/time-text.ts'
import { etagOf, contextOf, type RequestContext } from '../rules/request-context.ts'
import type { QuotationDeps } from '../dependencies.ts'
import type { Quotation } from '../quotation.ts'
import { pathOf, type Surface } from '../rules/vocabulary.ts'
import { getOptions, moveOptions, movesOn } from './schemas.ts'
import type { UseCases } from '../use-cases.ts'

/** Reading one quotation, and moving it along the table: the same on both surfaces. */
export const actionRoutes =
  (deps: QuotationDeps, useCases: UseCases, surface: Surface): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db } = deps
    const { act, readDetail } = useCases
    const path = `${pathOf[surface]}/:id`
    const answer = makeAnswer(deps, useCases, surface)

    app.get(path, getOptions(surface), async (request, reply) => {
      const { quotation, detail } = await readDetail(db, contextOf(request, surface), request.params.id)
      reply.header('etag', etagOf(quotation))
      return detail
    })

    for (const action of movesOn(surface)) {
      app.post(`${path}/${action}`, moveOptions(action, surface), async (request, reply) => {
        const { id } = request.params
        const { revision, confirm_zero: confirmsZero = false, reason, expires_at: expiresAt } = request.body ?? {}
        const command = { action, revision, confirmsZero, reason, expiresAt: timeOrNever('expires_at', expiresAt) }
        return answer(request, reply, 200, (tx, context) => act(tx, context, id, command))
      })
    }
  }

/** Makes what answers a change with the new detail. */
export const makeAnswer =
  (deps: QuotationDeps, { show, expiry }: UseCases, surface: Surface) =>
  async (
    request: FastifyRequest,
    reply: FastifyReply,
    status: 200 | 201,
    change: (tx: Tx, context: RequestContext) => Promise<Quotation>,
  ): Promise<FastifyReply> => {
    // By itself, because what follows may be refused and undone.
    await expiry.expireDue([(request.params as { readonly id: number }).id])
    const write = surface === 'storefront' ? deps.writeAsBuyer : deps.write
    return write(request, reply, async (tx) => {
      const context = contextOf(request, surface)
      const quotation = await change(tx, context)
      return {
        status,
        body: await show.detail(tx, context, await show.find(tx, context, quotation.id)),
        headers: { etag: etagOf(quotation) },
      }
    })
  }

/** @throws AppError 400 for a text that is no time. */
export const timeOrNever = (field: string, text: string | null | undefined): Date | null | undefined =>
  text === null ? null : timeFrom(field, text)
