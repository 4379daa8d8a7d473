import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { orNotFound } from '#platform/errors.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import { makeRouteOptions } from '#platform/http/route-options.ts'
import { Body, CheckedElsewhere, Described, errorResponses, IdParams, NotBlank } from '#platform/http/schemas.ts'
import { sendList } from '#platform/lists/send-list.ts'
import type { Dependencies } from '../dependencies.ts'
import { Sku } from '../request-fields.ts'
import { reading, writing } from '../routes.ts'
import { findLocation } from '../stock-locations/index.ts'
import { adjustStock } from './adjust-stock.ts'
import { availableOf, type Balance } from './movements.ts'
import { balanceList, listBalances } from './store.ts'

const BalanceShape = Type.Object(
  {
    sku: Type.String(),
    on_hand: Type.Integer({ description: 'Pieces that are there.' }),
    allocated: Type.Integer({ minimum: 0, description: 'Of these, promised to packages.' }),
    available: Type.Integer({ description: '`on_hand` − `allocated`; negative where back-orders are.' }),
  },
  { title: 'StockBalance', description: 'How much of a sku a location has.' },
)
const Adjustment = Body(
  {
    sku: Sku,
    quantity: CheckedElsewhere(
      Type.Integer({
        minimum: -1_000_000,
        maximum: 1_000_000,
        examples: [-3],
        description: 'Pieces added, or taken when negative; not 0.',
      }),
      { not: { const: 0 } },
    ),
    reason: NotBlank(255, { examples: ['Yearly count'] }),
  },
  [],
  {
    title: 'StockAdjustment',
    description: 'Pieces to add or take, and why.',
    examples: [{ sku: 'CHAIR-OAK', quantity: 10, reason: 'First count' }],
  },
)
const path = '/api/v1/stock_locations/:id/stock'

export const stockRoutes =
  ({ db, clock, write, baseUrl }: Dependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(path, listOptions, async (request, reply) => {
      const { id } = request.params
      orNotFound(await findLocation(db, id))
      return sendList(reply, baseUrl(), await listBalances(db, request.query, id), toWire)
    })

    app.post(path, adjustOptions, async (request, reply) =>
      write(request, reply, async (tx) => {
        const adjustment = { locationId: request.params.id, ...request.body, actorId: request.principal.userId }
        return { status: 201, body: toWire(await adjustStock(tx, clock, adjustment)) }
      }),
    )
  }

const toWire = makeToWire<Balance, typeof BalanceShape>(BalanceShape, { available: availableOf })

const route = makeRouteOptions('Stock', errorResponses)
const listOptions = route(
  reading('listStock', 'List the stock of a location', 'One row for each sku that the location has had.'),
  {
    params: IdParams,
    querystring: balanceList.querystring,
    response: { 200: Type.Array(BalanceShape) },
  },
)
const adjustOptions = route(
  writing(
    'adjustStock',
    'Add stock to a location, or take it away',
    'Appends to the ledger; the answer is the balance after it. More than is available can be taken only where back-orders are allowed.',
  ),
  { params: IdParams, body: Adjustment, response: { 201: Described('The balance after it.', BalanceShape) } },
)
