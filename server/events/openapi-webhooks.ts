import type { TSchema } from 'typebox'
import { catalogue, isBackOfficeEventType } from './catalogue.ts'

/** The envelopes of deliveries (contract, section 5). */
const inOriginal = (type: string, schema: TSchema) => ({
  type: 'object',
  description: 'To hooks, unless their config.format is standard.',
  required: ['event', 'payload'],
  properties: {
    event: {
      type: 'object',
      required: ['type', 'uuid'],
      properties: { type: { const: type }, uuid: { type: 'string', pattern: '^[0-9a-f]{32}$' } },
    },
    payload: schema,
  },
})
const inStandard = (type: string, schema: TSchema) => ({
  type: 'object',
  required: ['type', 'timestamp', 'data'],
  properties: { type: { const: type }, timestamp: { type: 'string', format: 'date-time' }, data: schema },
})

/** The `webhooks` part of the OpenAPI document: one entry for each event, generated from the catalogue. */
export const webhookDescriptions = Object.fromEntries(
  Object.entries(catalogue).map(([type, { description, schema, example }]) => [
    type,
    {
      post: {
        tags: ['Events'],
        operationId: `on_${type.replaceAll('.', '_')}`,
        summary: description,
        description:
          'What subscribers receive. The signature headers of the delivery say that it is genuine (docs/verifying-signatures.md).',
        security: [],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: isBackOfficeEventType(type)
                ? { anyOf: [inOriginal(type, schema), inStandard(type, schema)] }
                : inStandard(type, schema),
              example: isBackOfficeEventType(type)
                ? { event: { type, uuid: '019aa0000000700080000123456789ab' }, payload: example }
                : { type, timestamp: '2026-11-21T09:30:00.000Z', data: example },
            },
          },
        },
        responses: {
          '2XX': { description: 'Received. Any other answer is a failed attempt, which is made again later.' },
        },
      },
    },
  ]),
)
