import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { forbidden } from '#platform/errors.ts'
import { countRoute } from '#platform/lists/count-routes.ts'
import { envelope } from '#platform/lists/send-list.ts'
import { etagOf, contextOf } from '../rules/request-context.ts'
import type { QuotationDeps } from '../dependencies.ts'
import { countQuotationsByStatus, listQuotations, type Scope } from '../lists/list-store.ts'
import { pathOf } from '../rules/vocabulary.ts'
import * as options from './schemas.ts'
import type { UseCases } from '../use-cases.ts'

const path = pathOf.storefront

/** What buyers do with their own quotations (document 3, "Storefront surface"). */
export const storefrontRoutes =
  (
    { db, writeAsBuyer: write, baseUrl }: QuotationDeps,
    { create, duplicate, show, expiry }: UseCases,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(path, options.listMine, async (request, reply) => {
      await expiry.expireDue()
      const { scope: wanted, ...query } = request.query
      const { userId, divisionId } = request.principal
      const scope = scopeOf(wanted, userId, divisionId)
      const { rows, ...found } = await listQuotations(db, scope, query)
      return envelope(reply, baseUrl(), { rows: await show.summaries(db, 'storefront', rows), ...found })
    })

    countRoute(app, {
      ...options.counting.storefront,
      path,
      count: async (asked, { principal: { userId, divisionId } }) => {
        await expiry.expireDue()
        const { scope: wanted, ...query } = asked as { readonly scope?: 'approvals' | 'tree' }
        return countQuotationsByStatus(db, scopeOf(wanted, userId, divisionId), query)
      },
    })

    const requireDivision = (divisionId: number | null): number => {
      if (divisionId !== null) return divisionId
      throw forbidden('You belong to no division, so there is nothing that you could order for.')
    }
    app.post(
      path,
      {
        ...options.create,
        // Before the body is looked at: 403 comes before 400.
        onRequest: async ({ principal }) => void requireDivision(principal.divisionId),
      },
      async (request, reply) =>
        write(request, reply, async (tx) => {
          const context = {
            ...contextOf(request, 'storefront'),
            divisionId: requireDivision(request.principal.divisionId),
          }
          const quotation = await create(tx, context, request.body.name)
          const headers = { location: `${baseUrl()}${path}/${quotation.id}/`, etag: etagOf(quotation) }
          const body = await show.detail(tx, context, await show.find(tx, context, quotation.id))
          return { status: 201, body, headers }
        }),
    )

    app.post(`${path}/:id/duplicate`, options.duplicateToBasket, async (request, reply) =>
      write(request, reply, async (tx) => ({
        status: 200,
        body: await duplicate.toBasket(tx, contextOf(request, 'storefront'), request.params.id),
      })),
    )
  }

const scopeOf = (wanted: 'approvals' | 'tree' | undefined, userId: number, divisionId: number | null): Scope => {
  if (wanted === undefined) return { owner: userId }
  return wanted === 'tree' ? { tree: divisionId } : { waitingAt: divisionId }
}
