import { Type, type Static } from 'typebox'
import { makeRouteOptions } from '#platform/http/route-options.ts'
import { Body, errorResponses, NotBlank, Nullable, orNull, Timestamp } from '#platform/http/schemas.ts'
import type { JsonObject } from './event-type.ts'

const Name = Type.String({
  maxLength: 100,
  description:
    'Two words or more of small letters, digits and underscores, joined by dots; hyphens and dots are alike. Not of a group of events that Waybill has.',
  examples: ['crm.customer.updated'],
})
const Description = NotBlank(1_000, { examples: ['A customer changes.'] })
const JsonObject = (description: string, example: JsonObject) =>
  Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: true, description, examples: [example] })
const Schema = JsonObject(
  'JSON Schema 2020-12, at most 64 KiB with 1,200 schemas within it, without references to other documents. What is raised has to fit it. Without it: any object.',
  { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
)
const Example = JsonObject('Data that fits the schema, which tests of hooks deliver. At most 64 KiB.', { id: 7 })

export const EventTypeRecord = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    schema: Nullable(Schema),
    example: Nullable(Example),
    is_active: Type.Boolean({ description: 'false: nothing of it can be raised; what was raised stays.' }),
    created_date: Timestamp,
    modified_date: Timestamp,
  },
  { title: 'EventType', description: 'A type of events of your own.' },
)
export type EventTypeRecord = Static<typeof EventTypeRecord>

const optional = {
  schema: Type.Optional(orNull({ ...Schema, type: 'object' })),
  example: Type.Optional(orNull({ ...Example, type: 'object' })),
  is_active: Type.Optional(Type.Boolean()),
}
const readOnly = ['created_date', 'modified_date']

export const NewEventType = Body({ name: Name, description: Description, ...optional }, readOnly, {
  title: 'NewEventType',
  description: 'A type of events to make.',
  examples: [
    {
      name: 'crm.customer.updated',
      description: 'A customer changes.',
      schema: {
        type: 'object',
        required: ['id', 'email'],
        properties: { id: { type: 'integer' }, email: { type: 'string' } },
      },
      example: { id: 7, email: 'ayse@example.com' },
    },
  ],
})
export const EventTypePatch = Body({ description: Type.Optional(Description), ...optional }, ['name', ...readOnly], {
  title: 'EventTypePatch',
  description: 'Changes of a type of events; what is left out stays.',
  examples: [{ is_active: false }],
})

export const EventTypeParams = Type.Object({
  name: Type.String({ maxLength: 100, description: 'Name of the type, with dots or hyphens.' }),
})

export const route = makeRouteOptions('Events', errorResponses)
