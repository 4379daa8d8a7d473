import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { orNotFound } from '#platform/errors.ts'
import { envelope } from '#platform/lists/send-list.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { importRoutes } from '../imports/index.ts'
import { makeProductChanges, type SentFields } from './change-product.ts'
import { makeImportProducts, productColumns } from './import-products.ts'
import { toWire } from './product.ts'
import { createOptions, getOptions, listOptions, updateOptions, type NewProductBody } from './schemas.ts'
import { findProduct, listProducts } from './store.ts'

const path = '/api/v1/products'

/** What is sold (contract, section 7). */
export const productRoutes =
  (dependencies: SliceDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, baseUrl } = dependencies
    const changes = makeProductChanges(dependencies)

    app.get(path, listOptions, async (request) =>
      envelope(request, baseUrl(), await listProducts(db, request.query), toWire),
    )

    app.post(path, createOptions, async (request, reply) =>
      dependencies.write(request, reply, async (tx) => {
        const { is_active: isActive = true, remote_id: remoteId, name, price, currency } = request.body
        const product = await changes.create(tx, { remoteId, name, price, currency, isActive })
        return { status: 201, body: toWire(product), headers: { location: `${baseUrl()}${path}/${product.id}/` } }
      }),
    )

    app.get(`${path}/:id`, getOptions, async (request) => {
      const product = orNotFound(await findProduct(db, request.params.id))
      return toWire(product)
    })

    app.patch(`${path}/:id`, updateOptions, async (request, reply) =>
      dependencies.write(request, reply, async (tx) => {
        const product = await changes.update(tx, request.params.id, sentIn(request.body))
        return { status: 200, body: toWire(product) }
      }),
    )

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
  const fields = { remoteId, name, price, currency, isActive }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
