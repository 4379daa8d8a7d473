import { Type } from 'typebox'
import { Body, Id, Timestamp } from '#platform/http/schemas.ts'

const Name = Type.String({ minLength: 1, maxLength: 255, pattern: String.raw`\S`, examples: ['Marketplace'] })
const readOnly = ['id', 'created_date', 'modified_date']
const dates = { created_date: Timestamp, modified_date: Timestamp }

export const Catalog = Type.Object({ id: Id, name: Name, ...dates }, { title: 'Catalog' })
export const NewCatalog = Body({ name: Name }, readOnly, {
  title: 'NewCatalog',
  examples: [{ name: 'Main catalogue' }],
})
export const CatalogPatch = Body({ name: Type.Optional(Name) }, readOnly, {
  title: 'CatalogPatch',
  examples: [{ name: 'Main catalogue' }],
})

export const Channel = Type.Object({ id: Id, name: Name, catalog: Id, ...dates }, { title: 'Channel' })
export const NewChannel = Body({ name: Name, catalog: Id }, readOnly, {
  title: 'NewChannel',
  examples: [{ name: 'Marketplace North', catalog: 1 }],
})
export const ChannelPatch = Body({ name: Type.Optional(Name), catalog: Type.Optional(Id) }, readOnly, {
  title: 'ChannelPatch',
  examples: [{ name: 'Marketplace North' }],
})
