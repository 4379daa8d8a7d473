import { Type } from 'typebox'
import { makeToWire } from '#platform/http/record-shape.ts'
import { makeRouteOptions } from '#platform/http/route-options.ts'
import { Body, Described, errorResponses, Id, Nullable, OneOf, orNull, Timestamp } from '#platform/http/schemas.ts'
import { write } from '../dependencies.ts'
import { placeTypes, type SampledReport } from '../open-reports.ts'
import type { PlaceMapping } from './store.ts'

const PlaceType = OneOf(placeTypes)
const RemoteCode = Type.String({ minLength: 1, maxLength: 255, examples: ['34'] })
const LocalId = orNull(Id)
const LocalName = Type.String({ minLength: 1, maxLength: 255, pattern: String.raw`\S`, examples: ['Istanbul'] })

const fields = {
  id: Id,
  channel: Id,
  type: PlaceType,
  remote_code: RemoteCode,
  local_id: Nullable(Id),
  local_name: LocalName,
  created_by: Id,
  created_date: Timestamp,
}
export const Mapping = Type.Object(fields, {
  title: 'PlaceMapping',
  description: 'What a channel calls a place, and the place that it means.',
})
export const toWire = makeToWire<PlaceMapping, typeof Mapping>(Mapping, { channel: 'channelId', type: 'placeType' })
const NewMapping = Type.Object(
  {
    ...fields,
    resolved: Type.Integer({ description: 'Open reports of the place that were resolved.' }),
    remaining: Type.Integer({ description: 'Those that a job resolves, because there are many.' }),
  },
  { title: 'NewPlaceMappingAnswer', description: 'The new mapping, and the reports that it resolves.' },
)
/** Reports that a dry run shows. */
export const sampleSize = 5
const Sample = Type.Object(
  {
    id: Id,
    group: Nullable({ ...Id, description: 'Reports with the same cause.' }),
    error_code: Type.String(),
    error_desc: Type.String({ description: 'Its first 255 characters.' }),
    created_date: Timestamp,
  },
  { title: 'SampledErrorReport', description: 'An open report, in short.' },
)
export const toSample = makeToWire<SampledReport, typeof Sample>(Sample, { group: 'groupId' })
const MappingPreview = Type.Object(
  {
    count: Type.Integer({ minimum: 0, description: 'Open reports that the mapping would resolve.' }),
    sample: Type.Array(Sample, { description: `The newest of them, at most ${sampleSize}.` }),
  },
  { title: 'PlaceMappingPreview', description: 'What a mapping would resolve.' },
)
const readOnly = ['id', 'created_by', 'created_date', 'resolved', 'remaining']

export const route = makeRouteOptions('Place mappings', errorResponses)
export const createOptions = route(
  write(
    'createPlaceMapping',
    'Map a place of a channel, and resolve the reports that ask for it',
    'From now on the name means this place.',
  ),
  {
    querystring: Type.Object({
      dry_run: Type.Boolean({
        default: false,
        description: 'Say how many reports it would resolve, and write nothing.',
      }),
    }),
    body: Body(
      {
        channel: Id,
        type: PlaceType,
        remote_code: RemoteCode,
        local_id: Type.Optional(LocalId),
        local_name: LocalName,
      },
      readOnly,
      {
        title: 'NewPlaceMapping',
        description: 'A place to map.',
        examples: [{ channel: 1, type: 'city', remote_code: '34-IST', local_id: 34, local_name: 'İstanbul' }],
      },
    ),
    response: { 200: Described('What it would resolve; nothing is written.', MappingPreview), 201: NewMapping },
  },
)
export const MappingPatch = Body(
  { local_id: Type.Optional(LocalId), local_name: Type.Optional(LocalName) },
  [...readOnly, 'channel', 'type', 'remote_code'],
  { title: 'PlaceMappingPatch', description: 'Another place for a name.', examples: [{ local_name: 'İstanbul' }] },
)
