import { catalogue, isBackOfficeEventType } from './catalogue.ts'

/** The envelopes of deliveries (contract, section 5). */
const inOriginal = (type: string, schema: object) => ({
  type: 'object',
  description: 'To hooks, unless their config.format is standard.',
  required: ['event', 'payload'],
  properties: {
    event: {
      type: 'object',
      description: 'Which event it is.',
      required: ['type', 'uuid'],
      properties: {
        type: named(type),
        uuid: {
          type: 'string',
          pattern: '^[0-9a-f]{32}$',
          description: 'The id of this delivery, on every attempt: the header `webhook-id` without hyphens.',
        },
      },
    },
    payload: schema,
  },
})
const inStandard = (type: string, schema: object) => ({
  type: 'object',
  required: ['type', 'timestamp', 'data'],
  properties: {
    type: named(type),
    timestamp: { type: 'string', format: 'date-time', description: 'When the event happened: UTC, with milliseconds.' },
    data: schema,
  },
})
const named = (type: string) => ({ const: type, description: 'Name of the event, with dots.' })

/** What of a type of events the description tells. */
interface Described {
  readonly description: string
  /** Absent: any object. */
  readonly schema?: object | null
  readonly example?: unknown
}

/** An entry of the `webhooks` part of the OpenAPI document. */
const describe = (type: string, { description, schema, example }: Described, isBackOffice: boolean) => {
  const data = schema ?? { type: 'object' }
  const shown = example ?? {}
  return {
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
            schema: isBackOffice ? { anyOf: [inOriginal(type, data), inStandard(type, data)] } : inStandard(type, data),
            example: isBackOffice
              ? { event: { type, uuid: '019aa0000000700080000123456789ab' }, payload: shown }
              : { type, timestamp: '2026-11-21T09:30:00.000Z', data: shown },
          },
        },
      },
      responses: {
        '2XX': { description: 'Received. Any other answer is a failed attempt, which is made again later.' },
      },
    },
  }
}

/** The `webhooks` part of the OpenAPI document: one entry for each event, generated from the catalogue. */
export const webhookDescriptions = Object.fromEntries(
  Object.entries(catalogue).map(([type, event]) => [type, describe(type, event, isBackOfficeEventType(type))]),
)

/** Characters of all schemas and examples of one's own in the document, which anybody can read at any time. */
const maxOwnLength = 1_000_000
const leftOut =
  "The schema and the example are left out, because those of all types of one's own are too long: see GET /api/v1/event_types/."

/** The same of types of one's own, which hooks get. Their schemas refer to themselves, so each is a document of its own. */
export const describeWebhooks = (types: ReadonlyMap<string, Described>): Record<string, object> => {
  let length = 0
  return Object.fromEntries(
    [...types].map(([type, { description, schema, example }]) => {
      const added = JSON.stringify([schema, example]).length
      if (length + added > maxOwnLength) {
        const { post } = describe(type, { description }, true)
        return [type, { post: { ...post, description: `${post.description} ${leftOut}` } }]
      }
      length += added
      const own = schema ? { $id: `urn:waybill:event-type:${type}`, ...schema } : null
      return [type, describe(type, { description, schema: own, example }, true)]
    }),
  )
}
