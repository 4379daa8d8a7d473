import { Type } from 'typebox'
import { Body, errorResponses, Id, IdParams, Timestamp } from '#platform/http/schemas.ts'
import { catalogList, channelList } from './store.ts'

const Name = Type.String({ minLength: 1, maxLength: 255, pattern: String.raw`\S`, examples: ['Marketplace'] })
const readOnly = ['id', 'created_date', 'modified_date']

const Catalog = Type.Object(
  { id: Id, name: Name, created_date: Timestamp, modified_date: Timestamp },
  { title: 'Catalog' },
)
const Channel = Type.Object(
  { id: Id, name: Name, catalog: Id, created_date: Timestamp, modified_date: Timestamp },
  { title: 'Channel' },
)

/** The five operations on one kind of thing. */
const operations = <Record extends typeof Catalog | typeof Channel>(
  one: { readonly noun: string; readonly id: string; readonly inUse: string },
  record: Record,
) => ({
  get: {
    tags: ['Channels'],
    summary: `Read a ${one.noun}`,
    operationId: `get${one.id}`,
    params: IdParams,
    response: { 200: record, ...errorResponses },
  },
  create: {
    tags: ['Channels'],
    summary: `Create a ${one.noun}`,
    operationId: `create${one.id}`,
    response: { 201: record, ...errorResponses },
  },
  update: {
    tags: ['Channels'],
    summary: `Change a ${one.noun}`,
    operationId: `update${one.id}`,
    params: IdParams,
    response: { 200: record, ...errorResponses },
  },
  remove: {
    tags: ['Channels'],
    summary: `Remove a ${one.noun}`,
    description: one.inUse,
    operationId: `delete${one.id}`,
    params: IdParams,
    response: { ...errorResponses, 204: Type.Null() },
  },
  list: {
    tags: ['Channels'],
    summary: `List ${one.noun}s`,
    operationId: `list${one.id}s`,
    response: { 200: Type.Array(record), ...errorResponses },
  },
})

const catalogs = operations({ noun: 'catalog', id: 'Catalog', inUse: 'Only one without channels.' }, Catalog)
const channels = operations(
  { noun: 'channel', id: 'Channel', inUse: 'Only one without error reports and place mappings.' },
  Channel,
)

export const catalogSchemas = {
  ...catalogs,
  create: {
    ...catalogs.create,
    body: Body({ name: Name }, readOnly, { title: 'NewCatalog', examples: [{ name: 'Main catalogue' }] }),
  },
  update: {
    ...catalogs.update,
    body: Body({ name: Type.Optional(Name) }, readOnly, {
      title: 'CatalogPatch',
      examples: [{ name: 'Main catalogue' }],
    }),
  },
  list: { ...catalogs.list, querystring: catalogList.querystring },
}
export const channelSchemas = {
  ...channels,
  create: {
    ...channels.create,
    body: Body({ name: Name, catalog: Id }, readOnly, {
      title: 'NewChannel',
      examples: [{ name: 'Marketplace North', catalog: 1 }],
    }),
  },
  update: {
    ...channels.update,
    body: Body({ name: Type.Optional(Name), catalog: Type.Optional(Id) }, readOnly, {
      title: 'ChannelPatch',
      examples: [{ name: 'Marketplace North' }],
    }),
  },
  list: { ...channels.list, querystring: channelList.querystring },
}
