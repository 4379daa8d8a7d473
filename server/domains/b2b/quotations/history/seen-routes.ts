import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { forbidden, invalidField } from '#platform/errors.ts'
import { Body, IdParams } from '#platform/http/schemas.ts'
import type { QuotationDeps } from '../dependencies.ts'
import { visibleQuotation } from '../rules/hold-quotation.ts'
import { contextOf } from '../rules/request-context.ts'
import { pathOf } from '../rules/vocabulary.ts'
import { route, writing } from '../surface/schemas.ts'
import { noteSeen } from './seen-store.ts'

const seenOptions = route.storefront(
  writing('user')(
    'seeMyQuotation',
    'Say which terms of a quotation its owner has seen',
    'Only its owner says so. What was seen before is not seen less: an older revision changes nothing. The version stays.',
  ),
  {
    params: IdParams,
    body: Body(
      {
        revision: Type.Integer({
          minimum: 1,
          maximum: 2_147_483_647,
          description: 'The terms that were shown: at most the `revision` of the quotation.',
        }),
      },
      [],
      { title: 'SeenRevision', description: 'The terms that the owner has seen.', examples: [{ revision: 1 }] },
    ),
    response: { 204: Type.Null() },
  },
)

/** What the owner of a quotation has seen of it. */
export const seenRoutes =
  ({ writeAsBuyer: write, clock }: Pick<QuotationDeps, 'writeAsBuyer' | 'clock'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(`${pathOf.storefront}/:id/seen`, seenOptions, async (request, reply) =>
      write(request, reply, async (tx) => {
        const context = contextOf(request, 'storefront')
        const { id, userId, revision } = await visibleQuotation(tx, context, request.params.id)
        if (userId !== context.userId) throw forbidden('Only the owner of a quotation says what they have seen.')
        if (request.body.revision > revision) throw invalidField('revision', `The newest is ${revision}.`)
        await noteSeen(tx, { quotationId: id, seenRevision: request.body.revision, seenAt: clock.now() })
        return { status: 204 }
      }),
    )
  }
