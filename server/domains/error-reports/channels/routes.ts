import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { invalidField, notFound, orNotFound, ruleBroken, type AppError } from '#platform/errors.ts'
import { sendList } from '#platform/lists/send-list.ts'
import { sentFields } from '#platform/sent-fields.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { catalogOptions, channelOptions } from './schemas.ts'
import * as store from './store.ts'

/** Catalogues and the channels that belong to them. */
export const channelRoutes =
  (dependencies: SliceDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    await app.register(catalogs(dependencies))
    await app.register(channels(dependencies))
  }

const catalogs =
  ({ db, clock, baseUrl, ...dependencies }: SliceDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/v1/catalogs', catalogOptions.list, async (request, reply) =>
      sendList(reply, baseUrl(), await store.listCatalogs(db, request.query), catalogToWire),
    )
    app.post('/api/v1/catalogs', catalogOptions.create, async (request, reply) =>
      dependencies.write(request, reply, async (tx) => {
        const catalog = await store.insertCatalog(tx, request.body.name, clock.now())
        if (catalog === undefined) throw nameTaken('Another catalog has this name.')
        return { status: 201, body: catalogToWire(catalog) }
      }),
    )
    app.get('/api/v1/catalogs/:id', catalogOptions.get, async ({ params }) =>
      catalogToWire(orNotFound(await store.findCatalog(db, params.id))),
    )
    app.patch('/api/v1/catalogs/:id', catalogOptions.update, async (request, reply) => {
      const { name } = request.body
      return dependencies.write(request, reply, async (tx) => {
        const { id } = request.params
        const catalog =
          name === undefined ? await store.findCatalog(tx, id) : await store.updateCatalog(tx, id, name, clock.now())
        if (catalog === 'name_taken') throw nameTaken('Another catalog has this name.')
        return { status: 200, body: catalogToWire(orNotFound(catalog)) }
      })
    })
    app.delete('/api/v1/catalogs/:id', catalogOptions.remove, async (request, reply) =>
      dependencies.write(request, reply, async (tx) => {
        refuseUnlessRemoved(await store.removeCatalog(tx, request.params.id), 'catalog_in_use', 'It has channels.')
        return { status: 204 }
      }),
    )
  }

const channels =
  ({ db, clock, baseUrl, ...dependencies }: SliceDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/v1/channels', channelOptions.list, async (request, reply) =>
      sendList(reply, baseUrl(), await store.listChannels(db, request.query), channelToWire),
    )
    app.post('/api/v1/channels', channelOptions.create, async (request, reply) => {
      const { name, catalog: catalogId } = request.body
      return dependencies.write(request, reply, async (tx) => {
        if (!(await store.holdCatalog(tx, catalogId))) throw noCatalog()
        const channel = await store.insertChannel(tx, { name, catalogId }, clock.now())
        if (channel === undefined) throw nameTaken('Another channel of this catalog has this name.')
        return { status: 201, body: channelToWire(channel) }
      })
    })
    app.get('/api/v1/channels/:id', channelOptions.get, async ({ params }) =>
      channelToWire(orNotFound(await store.findChannel(db, params.id))),
    )
    app.patch('/api/v1/channels/:id', channelOptions.update, async (request, reply) => {
      const { name, catalog: catalogId } = request.body
      const fields = sentFields({ name, catalogId })
      return dependencies.write(request, reply, async (tx) => {
        const { id } = request.params
        if (!(await store.holdChannel(tx, id))) throw notFound()
        if (catalogId !== undefined && !(await store.holdCatalog(tx, catalogId))) throw noCatalog()
        const channel =
          Object.keys(fields).length === 0
            ? await store.findChannel(tx, id)
            : await store.updateChannel(tx, id, fields, clock.now())
        if (channel === 'name_taken') throw nameTaken('Another channel of this catalog has this name.')
        return { status: 200, body: channelToWire(orNotFound(channel)) }
      })
    })
    app.delete('/api/v1/channels/:id', channelOptions.remove, async (request, reply) =>
      dependencies.write(request, reply, async (tx) => {
        const removal = await store.removeChannel(tx, request.params.id)
        refuseUnlessRemoved(removal, 'channel_in_use', 'It has error reports or place mappings.')
        return { status: 204 }
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
