import { Type, type TProperties, type TSchema } from 'typebox'
import { makeRouteOptions } from '#platform/http/route-options.ts'
import { Body, errorResponses, Id, IdParams, Timestamp } from '#platform/http/schemas.ts'
import { read, write } from '../dependencies.ts'
import { catalogList, channelList } from './store.ts'

const Name = Type.String({ minLength: 1, maxLength: 255, pattern: String.raw`\S`, examples: ['Marketplace'] })
const readOnly = ['id', 'created_date', 'modified_date']
const dates = { created_date: Timestamp, modified_date: Timestamp }

const Catalog = Type.Object({ id: Id, name: Name, ...dates }, { title: 'Catalog' })
const Channel = Type.Object({ id: Id, name: Name, catalog: Id, ...dates }, { title: 'Channel' })

const route = makeRouteOptions('Channels', errorResponses)

interface Kind<Record, Fields, Patch, Query> {
  /** Names the kind in operation ids. */
  readonly id: string
  readonly noun: string
  readonly inUse: string
  readonly record: Record
  readonly fields: Fields
  readonly example: object
  readonly patch: Patch
  readonly patchExample: object
  readonly querystring: Query
}

/** The five operations on one kind of thing. */
const operations = <
  Record extends TSchema,
  Fields extends TProperties,
  Patch extends TProperties,
  Query extends TSchema,
>({
  id,
  noun,
  inUse,
  record,
  ...kind
}: Kind<Record, Fields, Patch, Query>) => ({
  list: route(read(`list${id}s`, `List ${noun}s`), {
    querystring: kind.querystring,
    response: { 200: Type.Array(record) },
  }),
  create: route(write(`create${id}`, `Create a ${noun}`), {
    body: Body(kind.fields, readOnly, { title: `New${id}`, examples: [kind.example] }),
    response: { 201: record },
  }),
  get: route(read(`get${id}`, `Read a ${noun}`), { params: IdParams, response: { 200: record } }),
  update: route(write(`update${id}`, `Change a ${noun}`), {
    params: IdParams,
    body: Body(kind.patch, readOnly, { title: `${id}Patch`, examples: [kind.patchExample] }),
    response: { 200: record },
  }),
  remove: route(write(`delete${id}`, `Remove a ${noun}`, inUse), { params: IdParams, response: { 204: Type.Null() } }),
})

export const catalogOptions = operations({
  id: 'Catalog',
  noun: 'catalog',
  inUse: 'Only one without channels.',
  record: Catalog,
  fields: { name: Name },
  example: { name: 'Main catalogue' },
  patch: { name: Type.Optional(Name) },
  patchExample: { name: 'Main catalogue' },
  querystring: catalogList.querystring,
})
export const channelOptions = operations({
  id: 'Channel',
  noun: 'channel',
  inUse: 'Only one without error reports and place mappings.',
  record: Channel,
  fields: { name: Name, catalog: Id },
  example: { name: 'Marketplace North', catalog: 1 },
  patch: { name: Type.Optional(Name), catalog: Type.Optional(Id) },
  patchExample: { name: 'Marketplace North' },
  querystring: channelList.querystring,
})
