import { catalogue } from './catalogue.ts'

/** The `webhooks` part of the OpenAPI document: one entry for each event, generated from the catalogue. */
export const webhookDescriptions = Object.fromEntries(
  Object.entries(catalogue).map(([type, { description, schema, example }]) => [
    type,
    {
      post: {
        tags: ['Events'],
        operationId: `on_${type.replaceAll('.', '_')}`,
        summary: description,
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['type', 'timestamp', 'data'],
                properties: { type: { const: type }, timestamp: { type: 'string', format: 'date-time' }, data: schema },
              },
              example: { type, timestamp: '2026-11-21T09:30:00.000Z', data: example },
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
