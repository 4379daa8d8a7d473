import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { recordRoutes } from '#platform/http/record-routes.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { sentFields } from '#platform/sent-fields.ts'
import { importRoutes } from '../imports/index.ts'
import { makeProductChanges, type SentFields } from './change-product.ts'
import { makeImportProducts, productColumns } from './import-products.ts'
import { toWire, unsaid } from './product.ts'
import { NewProduct, Product, ProductChanges, type ProductChangesBody } from './schemas.ts'
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
        const { name, price, currency } = body
        const remoteId = String(body.remote_id)
        return changes.create(tx, { ...unsaid, sku: remoteId, ...sentIn(body), remoteId, name, price, currency })
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
          'Columns: remote_id (the key), name, price, currency, and where wanted sku (empty: the remote id), base_code, category, image, ' +
          'attributes (an object as JSON; empty: none) and is_active (true or false). What has no column stays as it is; new products are active.',
        columns: productColumns,
        example: 'remote_id,name,price,currency\r\n4711,Oak chair,49.90,EUR\r\n',
        load: makeImportProducts(dependencies),
      }),
    )
  }

/** The fields that a body has, and only those. */
const sentIn = (body: ProductChangesBody): Partial<SentFields> => {
  const { sku, name, price, currency, category, image, attributes, base_code: baseCode, is_active: isActive } = body
  const remoteId = body.remote_id === undefined ? undefined : String(body.remote_id)
  return sentFields({ remoteId, sku, name, price, currency, baseCode, category, image, attributes, isActive })
}

const update = write(
  'updateProduct',
  'Change, deactivate or reactivate a product',
  'Products are deactivated, not deleted. Quotations keep the name, the sku and the price that a product had when they were made. ' +
    'In another currency the price stays the same number, unless it is sent too.',
)
