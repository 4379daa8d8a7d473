import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { invalidField, notFound, ruleBroken, type AppError } from '#platform/errors.ts'
import { sendList } from '#platform/lists/send-list.ts'
import type { Dependencies } from '../dependencies.ts'
import { catalogSchemas, channelSchemas } from './schemas.ts'
import * as store from './store.ts'

const read = { access: { role: 'staff', scope: 'error-reports:read' } } as const
const write = { access: { role: 'staff', scope: 'error-reports:write' } } as const

/** Catalogues and the channels that belong to them. */
export const channelRoutes =
  (dependencies: Dependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    await app.register(catalogs(dependencies))
    await app.register(channels(dependencies))
  }

const catalogs =
  ({ db, clock, baseUrl, ...dependencies }: Dependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/v1/catalogs', { schema: catalogSchemas.list, config: read }, async (request, reply) =>
      sendList(reply, baseUrl(), await store.listCatalogs(db, request.query), catalogToWire),
    )
    app.post('/api/v1/catalogs', { schema: catalogSchemas.create, config: write }, async (request, reply) =>
      dependencies.write(request, reply, async (tx) => {
        const catalog = await store.insertCatalog(tx, request.body.name, clock.now())
        if (catalog === undefined) throw nameTaken('Another catalog has this name.')
        return { status: 201, body: catalogToWire(catalog) }
      }),
    )
    app.get('/api/v1/catalogs/:id', { schema: catalogSchemas.get, config: read }, async (request) => {
      const catalog = await store.findCatalog(db, request.params.id)
      if (catalog === undefined) throw notFound()
      return catalogToWire(catalog)
    })
    app.patch('/api/v1/catalogs/:id', { schema: catalogSchemas.update, config: write }, async (request, reply) => {
      const { name } = request.body
      return dependencies.write(request, reply, async (tx) => {
        const { id } = request.params
        const catalog =
          name === undefined ? await store.findCatalog(tx, id) : await store.updateCatalog(tx, id, name, clock.now())
        if (catalog === undefined) throw notFound()
        if (catalog === 'name_taken') throw nameTaken('Another catalog has this name.')
        return { status: 200, body: catalogToWire(catalog) }
      })
    })
    app.delete('/api/v1/catalogs/:id', { schema: catalogSchemas.remove, config: write }, async (request, reply) =>
      dependencies.write(request, reply, async (tx) => {
        refuseUnlessRemoved(await store.removeCatalog(tx, request.params.id), 'catalog_in_use', 'It has channels.')
        return { status: 204, body: undefined }
      }),
    )
  }

const channels =
  ({ db, clock, baseUrl, ...dependencies }: Dependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/v1/channels', { schema: channelSchemas.list, config: read }, async (request, reply) =>
      sendList(reply, baseUrl(), await store.listChannels(db, request.query), channelToWire),
    )
    app.post('/api/v1/channels', { schema: channelSchemas.create, config: write }, async (request, reply) => {
      const { name, catalog: catalogId } = request.body
      return dependencies.write(request, reply, async (tx) => {
        if (!(await store.holdCatalog(tx, catalogId))) throw noCatalog()
        const channel = await store.insertChannel(tx, { name, catalogId }, clock.now())
        if (channel === undefined) throw nameTaken('Another channel of this catalog has this name.')
        return { status: 201, body: channelToWire(channel) }
      })
    })
    app.get('/api/v1/channels/:id', { schema: channelSchemas.get, config: read }, async (request) => {
      const channel = await store.findChannel(db, request.params.id)
      if (channel === undefined) throw notFound()
      return channelToWire(channel)
    })
    app.patch('/api/v1/channels/:id', { schema: channelSchemas.update, config: write }, async (request, reply) => {
      const { name, catalog: catalogId } = request.body
      const fields = { ...(name !== undefined && { name }), ...(catalogId !== undefined && { catalogId }) }
      return dependencies.write(request, reply, async (tx) => {
        const { id } = request.params
        if (!(await store.holdChannel(tx, id))) throw notFound()
        if (catalogId !== undefined && !(await store.holdCatalog(tx, catalogId))) throw noCatalog()
        const channel =
          Object.keys(fields).length === 0
            ? await store.findChannel(tx, id)
            : await store.updateChannel(tx, id, fields, clock.now())
        if (channel === undefined) throw notFound()
        if (channel === 'name_taken') throw nameTaken('Another channel of this catalog has this name.')
        return { status: 200, body: channelToWire(channel) }
      })
    })
    app.delete('/api/v1/channels/:id', { schema: channelSchemas.remove, config: write }, async (request, reply) =>
      dependencies.write(request, reply, async (tx) => {
        const removal = await store.removeChannel(tx, request.params.id)
        refuseUnlessRemoved(removal, 'channel_in_use', 'It has error reports or place mappings.')
        return { status: 204, body: undefined }
      }),
    )
  }

const nameTaken = (message: string): AppError => invalidField('name', message)
const noCatalog = (): AppError => invalidField('catalog', 'There is no such catalog.')

const refuseUnlessRemoved = (removal: store.Removal, code: string, reason: string): void => {
  if (removal === 'not_found') throw notFound()
  if (removal === 'in_use') throw ruleBroken(code, `This cannot be removed. ${reason}`)
}

const catalogToWire = ({ id, name, createdAt, modifiedAt }: store.Catalog) => ({
  id,
  name,
  created_date: createdAt.toISOString(),
  modified_date: modifiedAt.toISOString(),
})
const channelToWire = ({ catalogId, ...rest }: store.Channel) => ({ ...catalogToWire(rest), catalog: catalogId })
