import { Type } from 'typebox'
import { Body, Id, Timestamp } from '#platform/http/schemas.ts'

const Name = Type.String({ minLength: 1, maxLength: 255, pattern: String.raw`\S`, examples: ['Marketplace'] })
const readOnly = ['id', 'created_date', 'modified_date']
const dates = { created_date: Timestamp, modified_date: Timestamp }

export const Catalog = Type.Object(
  { id: Id, name: Name, ...dates },
  { title: 'Catalog', description: 'A catalogue, which channels sell.' },
)
export const NewCatalog = Body({ name: Name }, readOnly, {
  title: 'NewCatalog',
  description: 'A catalogue to make.',
  examples: [{ name: 'Main catalogue' }],
})
export const CatalogPatch = Body({ name: Type.Optional(Name) }, readOnly, {
  title: 'CatalogPatch',
  description: 'Another name for a catalogue.',
  examples: [{ name: 'Main catalogue' }],
})

const Conf = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Settings of the integration. Whoever may read the channel reads them, so keep no secrets here.',
  examples: [{ connection_pool_count: 10 }],
})
const optional = { is_active: Type.Optional(Type.Boolean()), conf: Type.Optional(Conf) }

export const Channel = Type.Object(
  {
    id: Id,
    pk: Type.Integer({ ...Id, description: 'The same as `id`: what clients of the original call it.' }),
    name: Name,
    catalog: Id,
    is_active: Type.Boolean({ description: 'For the integration, which does nothing for an inactive channel.' }),
    conf: Conf,
    ...dates,
  },
  { title: 'Channel', description: 'Where products of a catalogue are sold.' },
)
export const NewChannel = Body({ name: Name, catalog: Id, ...optional }, [...readOnly, 'pk'], {
  title: 'NewChannel',
  description: 'A channel to make.',
  examples: [{ name: 'Marketplace North', catalog: 1 }],
})
export const ChannelPatch = Body(
  { name: Type.Optional(Name), catalog: Type.Optional(Id), ...optional },
  [...readOnly, 'pk'],
  {
    title: 'ChannelPatch',
    description: 'Changes of a channel; what is left out stays.',
    examples: [{ name: 'Marketplace North' }],
  },
)
