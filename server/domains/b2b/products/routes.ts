import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { recordRoutes } from '#platform/http/record-routes.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { sentFields } from '#platform/sent-fields.ts'
import { importRoutes } from '../imports/index.ts'
import { makeProductChanges, type SentFields } from './change-product.ts'
import { makeImportProducts, productColumns } from './import-products.ts'
import { toWire } from './product.ts'
import { NewProduct, Product, ProductChanges, type NewProductBody } from './schemas.ts'
import { findProduct, listProducts, productList } from './store.ts'

const path = '/api/v1/products'
const route = makeRouteOptions('Products', errorResponses)
const read = operationsFor({ access: { role: 'staff', scope: 'quotations:read' } })
const write = operationsFor({ access: { role: 'staff', scope: 'quotations:write' } })

/** What is sold (contract, section 7). */
export const productRoutes =
  (dependencies: SliceDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const changes = makeProductChanges(dependencies)
    const pathOf = ({ id }: { readonly id: number }): string => `${path}/${id}/`
    const kind = { path, route, record: Product, toWire, pathOf, isEnveloped: true }
    const products = recordRoutes(app, dependencies, kind)
    products.list(
      read('listProducts', 'List products', 'Inactive ones too, unless `is_active` says otherwise.'),
      productList,
      listProducts,
    )
    products.create(
      write('createProduct', 'Create a product', 'An active one can be put into baskets at once.'),
      NewProduct,
      (tx, body) => {
        const { is_active: isActive = true, remote_id: remoteId, name, price, currency } = body
        return changes.create(tx, { remoteId, name, price, currency, isActive })
      },
    )
    products.get(read('getProduct', 'Read a product'), findProduct)
    products.update(update, ProductChanges, (tx, id, body) => changes.update(tx, id, sentIn(body)))

    await app.register(
      importRoutes(dependencies, {
        path,
        tag: 'Products',
        operationId: 'importProducts',
        summary: 'Load products from a table',
        description:
          'Columns: remote_id (the key), name, price, currency, and is_active (true or false). Without is_active new products are active, and the others stay as they are.',
        columns: productColumns,
        example: 'remote_id,name,price,currency\r\n4711,Oak chair,49.90,EUR\r\n',
        load: makeImportProducts(dependencies),
      }),
    )
  }

/** The fields that a body has, and only those. */
const sentIn = (body: Partial<NewProductBody>): Partial<SentFields> => {
  const { remote_id: remoteId, name, price, currency, is_active: isActive } = body
  return sentFields({ remoteId, name, price, currency, isActive })
}

const update = write(
  'updateProduct',
  'Change, deactivate or reactivate a product',
  'Products are deactivated, not deleted. Quotations keep the name and the price that a product had when they were made. ' +
    'In another currency the price stays the same number, unless it is sent too.',
)
