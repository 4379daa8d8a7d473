import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { notFound, orNotFound } from '#platform/errors.ts'
import { sendList } from '#platform/lists/send-list.ts'
import { sentFields } from '#platform/sent-fields.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import type { makeMapPlace } from './map-place.ts'
import * as options from './schemas.ts'
import { findMapping, listMappings, removeMapping, updateMapping, type PlaceMapping } from './store.ts'

const path = '/api/v1/place_mappings'

/** What the places that channels name are here. */
export const placeRoutes =
  ({ db, baseUrl, ...dependencies }: SliceDeps, mapPlace: ReturnType<typeof makeMapPlace>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(path, options.listOptions, async (request, reply) =>
      sendList(reply, baseUrl(), await listMappings(db, request.query), toWire),
    )

    app.post(path, options.createOptions, async (request, reply) => {
      const { channel: channelId, type: placeType, remote_code: remoteCode, local_id: localId = null } = request.body
      const place = { channelId, placeType, remoteCode, localId, localName: request.body.local_name }
      return dependencies.write(request, reply, async (tx) => {
        const { mapping, ...counts } = await mapPlace(tx, { ...place, createdBy: request.principal.userId })
        return { status: 201, body: { ...toWire(mapping), ...counts } }
      })
    })

    app.get(`${path}/:id`, options.getOptions, async ({ params }) =>
      toWire(orNotFound(await findMapping(db, params.id))),
    )

    app.patch(`${path}/:id`, options.updateOptions, async (request, reply) => {
      const { local_id: localId, local_name: localName } = request.body
      const changes = sentFields({ localId, localName })
      return dependencies.write(request, reply, async (tx) => {
        const { id } = request.params
        const isChange = Object.keys(changes).length > 0
        const mapping = isChange ? await updateMapping(tx, id, changes) : await findMapping(tx, id)
        return { status: 200, body: toWire(orNotFound(mapping)) }
      })
    })

    app.delete(`${path}/:id`, options.removeOptions, async (request, reply) =>
      dependencies.write(request, reply, async (tx) => {
        if (!(await removeMapping(tx, request.params.id))) throw notFound()
        return { status: 204 }
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
