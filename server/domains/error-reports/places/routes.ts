import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { inTransaction } from '#platform/db/transaction.ts'
import { notFound } from '#platform/errors.ts'
import { recordRoutes } from '#platform/http/record-routes.ts'
import { sentFields } from '#platform/sent-fields.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import type { makeMapPlace } from './map-place.ts'
import { read, write } from '../dependencies.ts'
import { createOptions, Mapping, MappingPatch, route, sampleSize, toSample, toWire } from './schemas.ts'
import { findMapping, listMappings, mappingList, removeMapping, updateMapping } from './store.ts'

const path = '/api/v1/place_mappings'

/** What the places that channels name are here. */
export const placeRoutes =
  (dependencies: SliceDeps, mapPlace: ReturnType<typeof makeMapPlace>): FastifyPluginAsyncTypebox =>
  async (app) => {
    const mappings = recordRoutes(app, dependencies, { path, route, record: Mapping, toWire })
    mappings.list(read('listPlaceMappings', 'List place mappings'), mappingList, listMappings)
    app.post(path, createOptions, async (request, reply) => {
      const { channel: channelId, type: placeType, remote_code: remoteCode, local_id: localId = null } = request.body
      const place = { channelId, placeType, remoteCode, localId, localName: request.body.local_name }
      // What changes nothing leaves an Idempotency-Key unused for the mapping itself.
      if (request.query.dry_run) {
        const found = await inTransaction(dependencies.db, (tx) => mapPlace.preview(tx, place, sampleSize))
        return reply.code(200).send({ count: found.count, sample: found.sample.map((report) => toSample(report)) })
      }
      return dependencies.write(request, reply, async (tx) => {
        const { mapping, ...counts } = await mapPlace.map(tx, { ...place, createdBy: request.principal.userId })
        return { status: 201, body: { ...toWire(mapping), ...counts } }
      })
    })
    mappings.get(read('getPlaceMapping', 'Read a place mapping'), findMapping)
    const update = write('updatePlaceMapping', 'Change what a place is here')
    mappings.update(update, MappingPatch, (tx, id, { local_id: localId, local_name: localName }) => {
      const changes = sentFields({ localId, localName })
      return Object.keys(changes).length > 0 ? updateMapping(tx, id, changes) : findMapping(tx, id)
    })
    const remove = write('deletePlaceMapping', 'Remove a place mapping', 'Reports that it resolved stay resolved.')
    mappings.remove(remove, async (tx, id) => {
      if (!(await removeMapping(tx, id))) throw notFound()
    })
  }
