import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { recordRoutes } from '#platform/http/record-routes.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { importRoutes } from '../imports/index.ts'
import { makePriceChanges } from './change-price.ts'
import { makeImportPrices, priceColumns } from './import-prices.ts'
import { toWire } from './price.ts'
import { NewPrice, Price, PriceChanges } from './schemas.ts'
import { findPrice, listPrices, priceList } from './store.ts'

const path = '/api/v1/prices'
const route = makeRouteOptions('Prices', errorResponses)
const read = operationsFor({ access: { role: 'staff', scope: 'quotations:read' } })
const write = operationsFor({ access: { role: 'staff', scope: 'quotations:write' } })

/** What divisions pay for products. */
export const priceRoutes =
  (dependencies: SliceDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const changes = makePriceChanges(dependencies)
    const pathOf = ({ id }: { readonly id: number }): string => `${path}/${id}/`
    const kind = { path, route, record: Price, toWire, pathOf, isEnveloped: true }
    const prices = recordRoutes(app, dependencies, kind)
    prices.list(
      read('listPrices', 'List prices of divisions', 'Also what is over, unless `holds_at` says otherwise.'),
      priceList,
      listPrices,
    )
    prices.create(create, NewPrice, (tx, body) => changes.create(tx, body))
    prices.get(read('getPrice', 'Read a price'), findPrice)
    prices.update(update, PriceChanges, (tx, id, body) => changes.update(tx, id, body))
    prices.remove(remove, (tx, id) => changes.remove(tx, id))

    await app.register(
      importRoutes(dependencies, {
        path,
        tag: 'Prices',
        operationId: 'importPrices',
        summary: 'Load prices from a table',
        description:
          'Columns: product_remote_id, erp_code (of the division), name (of the list), price, valid_from, and covers (division or tree; division without it) and valid_to (empty: no end). ' +
          'All but price and valid_to are the key. Without valid_to new prices have no end, and the others keep theirs.',
        columns: priceColumns,
        example:
          'product_remote_id,erp_code,covers,name,price,valid_from,valid_to\r\n1001,BR-01,tree,Summer 2026,44.90,2026-06-01,2026-08-31\r\n',
        load: makeImportPrices(dependencies),
      }),
    )
  }

const create = write(
  'createPrice',
  'Set what a division pays for a product',
  'Of all prices that hold for the division of a buyer the lowest counts, and the list price of the product is one of them.',
)
const update = write(
  'updatePrice',
  'Change a price',
  'Quotations keep the prices that they were made with. A price that is sent is in the currency that its product has now.',
)
const remove = write('deletePrice', 'Delete a price', 'Quotations keep the prices that they were made with.')
