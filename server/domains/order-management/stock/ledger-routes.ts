import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { orNotFound } from '#platform/errors.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import { makeRouteOptions } from '#platform/http/route-options.ts'
import { errorResponses, Id, IdParams, Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import { sendList } from '#platform/lists/send-list.ts'
import type { Dependencies } from '../dependencies.ts'
import { reading } from '../routes.ts'
import { findLocation } from '../stock-locations/index.ts'
import { kindsOfMovements, ledgerList, listEntries, type Entry } from './ledger-store.ts'

const MovementShape = Type.Object(
  {
    id: Id,
    sku: Type.String(),
    kind: OneOf(kindsOfMovements),
    quantity: Type.Integer({ description: 'Pieces; negative only for `adjust`.' }),
    on_hand: Type.Integer({ description: 'What it added to the pieces that are there.' }),
    allocated: Type.Integer({ description: 'What it added to the pieces that are promised.' }),
    cause: Type.Object(
      {
        type: OneOf(['adjustment', 'package', 'transfer']),
        id: Nullable({ ...Id, description: 'Of the package or transfer.' }),
        number: Nullable(Type.String({ description: 'Of the package or transfer.' })),
      },
      { description: 'What it was booked for.' },
    ),
    reason: Nullable(
      Type.String({ description: 'What an operator said of an adjustment, or of what was lost on the way.' }),
    ),
    actor: Id,
    created_date: Timestamp,
  },
  { title: 'StockMovement', description: 'An entry of the ledger of stock, which is never changed.' },
)

const options = makeRouteOptions('Stock', errorResponses)(
  reading(
    'listStockMovements',
    'List the movements of stock of a location, newest first',
    'The ledger: what each added to `on_hand` and `allocated`, what for, and by whom.',
  ),
  { params: IdParams, querystring: ledgerList.querystring, response: { 200: Type.Array(MovementShape) } },
)

/** What moved at a location. */
export const ledgerRoutes =
  ({ db, baseUrl }: Dependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/v1/stock_locations/:id/movements', options, async (request, reply) => {
      const { id } = request.params
      orNotFound(await findLocation(db, id))
      return sendList(reply, baseUrl(), await listEntries(db, request.query, id), toWire)
    })
  }

/** The kind says which sides it changes: by the quantity, up or down. */
const quantityOf = ({ kind, onHand, allocated }: Entry): number =>
  kind === 'adjust' ? onHand : Math.max(Math.abs(onHand), Math.abs(allocated))

const typeOf = ({ packageId, transferId }: Entry) => {
  if (packageId !== null) return 'package'
  return transferId === null ? 'adjustment' : 'transfer'
}

/** Behind the number of a document what was said of it. */
const partsOf = (entry: Entry): { readonly number: string | null; readonly reason: string | null } => {
  const { cause } = entry
  if (typeOf(entry) === 'adjustment') return { number: null, reason: cause }
  const [number = '', ...said] = cause.split(': ')
  return { number, reason: said.length === 0 ? null : said.join(': ') }
}

const toWire = makeToWire<Entry, typeof MovementShape>(MovementShape, {
  quantity: quantityOf,
  cause: (entry) => ({
    type: typeOf(entry),
    id: entry.packageId ?? entry.transferId,
    number: partsOf(entry).number,
  }),
  reason: (entry) => partsOf(entry).reason,
  actor: 'actorId',
})
