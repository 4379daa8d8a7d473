import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Amount, Currency, Id, IdParams, Timestamp } from '#platform/http/schemas.ts'
import { RemoteId, remoteIdToWire } from '../../products/index.ts'
import type { QuotationDeps } from '../dependencies.ts'
import { money } from '../quotation.ts'
import { contextOf } from '../rules/request-context.ts'
import { pathOf } from '../rules/vocabulary.ts'
import { reading, route } from '../surface/schemas.ts'
import type { UseCases } from '../use-cases.ts'
import { lastPrices, type PaidPrice } from './paid-prices-store.ts'

const LastPrice = Type.Object(
  {
    product_remote_id: RemoteId,
    price: Type.String({ ...Amount, description: 'Of one piece, before discounts.' }),
    currency: Currency,
    quotation: Type.Object(
      { id: Id, number: Type.String() },
      { description: 'The approved quotation that it was paid in.' },
    ),
    approved_at: Timestamp,
  },
  { title: 'LastPrice', description: 'What a company paid last for a product.' },
)
const LastPrices = Type.Object(
  { results: Type.Array(LastPrice) },
  { title: 'LastPrices', description: 'What was paid last for the products of a quotation.' },
)
const options = route.admin(
  reading.admin(
    'getQuotationLastPrices',
    "Say what the owner's company last paid for the products of a quotation",
    'For each product its unit price, before discounts, in the quotation of the company that was approved last, before this one if it ' +
      'is approved too. Of products that the company has not bought there is none.',
  ),
  { params: IdParams, response: { 200: LastPrices } },
)

const toWire = ({ productRemoteId, price, currency, quotationId: id, number, approvedAt }: PaidPrice) => ({
  product_remote_id: remoteIdToWire(productRemoteId),
  price: money(BigInt(price), currency),
  currency,
  quotation: { id, number },
  approved_at: approvedAt.toISOString(),
})

/** What products cost before, for the seller. */
export const lastPricesRoutes =
  ({ db }: Pick<QuotationDeps, 'db'>, { read }: UseCases): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(`${pathOf.admin}/:id/last-prices`, options, async (request) => {
      const quotation = await read(db, contextOf(request, 'admin'), request.params.id)
      return { results: (await lastPrices(db, quotation)).map(toWire) }
    })
  }
