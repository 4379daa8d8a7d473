import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Tx } from '#platform/db/database.ts'
import { invalidField, notFound, ruleBroken } from '#platform/errors.ts'
import { recordRoutes, type App } from '#platform/http/record-routes.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import { makeRouteOptions } from '#platform/http/route-options.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { sentFields } from '#platform/sent-fields.ts'
import { read, write } from '../dependencies.ts'
import * as schemas from './schemas.ts'
import * as store from './store.ts'

const route = makeRouteOptions('Channels', errorResponses)

/** Catalogues and the channels that belong to them (contract, section 6). */
export const channelRoutes =
  (dependencies: SliceDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    addCatalogs(app, dependencies)
    addChannels(app, dependencies)
  }

const addCatalogs = (app: App, dependencies: SliceDeps): void => {
  const { clock } = dependencies
  const kind = { path: '/api/v1/catalogs', route, record: schemas.Catalog, toWire: catalogToWire }
  const catalogs = recordRoutes(app, dependencies, kind)
  const nameTaken = () => invalidField('name', 'Another catalog has this name.')

  catalogs.list(read('listCatalogs', 'List catalogs'), store.catalogList, store.listCatalogs)
  catalogs.create(write('createCatalog', 'Create a catalog'), schemas.NewCatalog, async (tx, { name }) => {
    const catalog = await store.insertCatalog(tx, name, clock.now())
    if (catalog === undefined) throw nameTaken()
    return catalog
  })
  catalogs.get(read('getCatalog', 'Read a catalog'), store.findCatalog)
  catalogs.update(write('updateCatalog', 'Change a catalog'), schemas.CatalogPatch, async (tx, id, { name }) => {
    if (name === undefined) return store.findCatalog(tx, id)
    const catalog = await store.updateCatalog(tx, id, name, clock.now())
    if (catalog === 'taken') throw nameTaken()
    return catalog
  })
  catalogs.remove(write('deleteCatalog', 'Remove a catalog', 'Only one without channels.'), async (tx, id) =>
    refuseUnlessRemoved(await store.removeCatalog(tx, id), 'catalog_in_use', 'It has channels.'),
  )
}

const addChannels = (app: App, dependencies: SliceDeps): void => {
  const { clock } = dependencies
  const kind = { path: '/api/v1/channels', route, record: schemas.Channel, toWire: channelToWire }
  const channels = recordRoutes(app, dependencies, kind)
  const nameTaken = () => invalidField('name', 'Another channel of this catalog has this name.')
  const requireCatalog = async (tx: Tx, id: number): Promise<void> => {
    if (!(await store.holdCatalog(tx, id))) throw invalidField('catalog', 'There is no such catalog.')
  }

  channels.list(read('listChannels', 'List channels'), store.channelList, store.listChannels)
  channels.create(write('createChannel', 'Create a channel'), schemas.NewChannel, async (tx, body) => {
    const { name, catalog: catalogId, is_active: isActive = true, conf = {} } = body
    await requireCatalog(tx, catalogId)
    const fields = { name, catalogId, isActive, conf: JSON.stringify(conf) }
    const channel = await store.insertChannel(tx, fields, clock.now())
    if (channel === undefined) throw nameTaken()
    return channel
  })
  channels.get(read('getChannel', 'Read a channel'), store.findChannel)
  channels.update(write('updateChannel', 'Change a channel'), schemas.ChannelPatch, async (tx, id, body) => {
    const { name, catalog: catalogId, is_active: isActive, conf } = body
    if (!(await store.holdChannel(tx, id))) throw notFound()
    if (catalogId !== undefined) await requireCatalog(tx, catalogId)
    const fields = sentFields({ name, catalogId, isActive, conf: conf && JSON.stringify(conf) })
    if (Object.keys(fields).length === 0) return store.findChannel(tx, id)
    const channel = await store.updateChannel(tx, id, fields, clock.now())
    if (channel === 'taken') throw nameTaken()
    return channel
  })
  const remove = write('deleteChannel', 'Remove a channel', 'Only one without error reports and place mappings.')
  channels.remove(remove, async (tx, id) => {
    const removal = await store.removeChannel(tx, id)
    refuseUnlessRemoved(removal, 'channel_in_use', 'It has error reports or place mappings.')
  })
}

const refuseUnlessRemoved = (removal: store.Removal, code: string, reason: string): void => {
  if (removal === 'not_found') throw notFound()
  if (removal === 'in_use') throw ruleBroken(code, `This cannot be removed. ${reason}`)
}

const catalogToWire = makeToWire<store.Catalog, typeof schemas.Catalog>(schemas.Catalog, {})
const channelToWire = makeToWire<store.Channel, typeof schemas.Channel>(schemas.Channel, {
  pk: 'id',
  catalog: 'catalogId',
  conf: ({ conf }) => JSON.parse(conf) as Record<string, unknown>,
})
