import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { notFound } from '#platform/errors.ts'
import { sendList } from '#platform/lists/send-list.ts'
import type { Dependencies } from '../dependencies.ts'
import type { makeMapPlace } from './map-place.ts'
import * as schemas from './schemas.ts'
import { findMapping, listMappings, removeMapping, updateMapping, type PlaceMapping } from './store.ts'

const read = { access: { role: 'staff', scope: 'error-reports:read' } } as const
const write = { access: { role: 'staff', scope: 'error-reports:write' } } as const
const path = '/api/v1/place_mappings'

/** What the places that channels name are here. */
export const placeRoutes =
  (
    { db, baseUrl, ...dependencies }: Dependencies,
    mapPlace: ReturnType<typeof makeMapPlace>,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(path, { schema: schemas.listSchema, config: read }, async (request, reply) =>
      sendList(reply, baseUrl(), await listMappings(db, request.query), toWire),
    )

    app.post(path, { schema: schemas.createSchema, config: write }, async (request, reply) => {
      const { channel: channelId, type: placeType, remote_code: remoteCode, local_id: localId = null } = request.body
      const place = { channelId, placeType, remoteCode, localId, localName: request.body.local_name }
      return dependencies.write(request, reply, async (tx) => {
        const { mapping, ...counts } = await mapPlace(tx, { ...place, createdBy: request.principal.userId })
        return { status: 201, body: { ...toWire(mapping), ...counts } }
      })
    })

    app.get(`${path}/:id`, { schema: schemas.getSchema, config: read }, async (request) => {
      const mapping = await findMapping(db, request.params.id)
      if (mapping === undefined) throw notFound()
      return toWire(mapping)
    })

    app.patch(`${path}/:id`, { schema: schemas.updateSchema, config: write }, async (request, reply) => {
      const { local_id: localId, local_name: localName } = request.body
      const changes = { ...(localId !== undefined && { localId }), ...(localName !== undefined && { localName }) }
      return dependencies.write(request, reply, async (tx) => {
        const { id } = request.params
        const isChange = Object.keys(changes).length > 0
        const mapping = isChange ? await updateMapping(tx, id, changes) : await findMapping(tx, id)
        if (mapping === undefined) throw notFound()
        return { status: 200, body: toWire(mapping) }
      })
    })

    app.delete(`${path}/:id`, { schema: schemas.removeSchema, config: write }, async (request, reply) =>
      dependencies.write(request, reply, async (tx) => {
        if (!(await removeMapping(tx, request.params.id))) throw notFound()
        return { status: 204, body: undefined }
      }),
    )
  }

const toWire = (mapping: PlaceMapping) => ({
  id: mapping.id,
  channel: mapping.channelId,
  type: mapping.placeType,
  remote_code: mapping.remoteCode,
  local_id: mapping.localId,
  local_name: mapping.localName,
  created_by: mapping.createdBy,
  created_date: mapping.createdAt.toISOString(),
})
