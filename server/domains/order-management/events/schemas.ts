import { Type, type Static } from 'typebox'
import { orderManagementEvents } from '#events/order-management.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { errorResponses } from '#platform/http/schemas.ts'

/** Events that one request may raise (contract, section 8). */
export const maxEvents = 1_000

const Event = Type.Object(
  {
    id: Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Your id of the event. Sent again with the same content it raises nothing.',
      examples: ['wms-4711'],
    }),
    type: Type.String({
      maxLength: 200,
      description: `Hyphens and dots are alike. One of: ${Object.keys(orderManagementEvents).toSorted().join(', ')}.`,
      examples: ['package.status.packed'],
    }),
    data: Type.Unsafe<Readonly<Record<string, unknown>>>({
      ...Type.Object({}),
      description:
        'The object after the change, as the type of the event describes it under webhooks. Delivered as it is, further fields included.',
    }),
    timestamp: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'When it happened: RFC 3339, or YYYY-MM-DD HH:MM:SS in UTC. Without it: now.',
        examples: ['2026-11-21T09:30:00Z'],
      }),
    ),
  },
  { additionalProperties: false },
)

export type EventInput = Static<typeof Event>

/** Keywords of objects hold for one event, those of arrays for many: no union, whose errors would name every part of it. */
const OneOrMany = Type.Unsafe<EventInput | readonly EventInput[]>({
  ...Event,
  type: ['object', 'array'],
  items: Event,
  minItems: 1,
  maxItems: maxEvents,
  examples: [
    { id: 'wms-4711', type: 'package.created', data: orderManagementEvents['package.created'].example },
    [
      {
        id: 'wms-4712',
        type: 'package-status-packed',
        timestamp: '2026-11-21 09:30:00',
        data: orderManagementEvents['package.status.packed'].example,
      },
    ],
  ],
})

export const raise = makeRouteOptions('Events', errorResponses)(
  operationsFor({ access: { role: 'staff', scope: 'events:write' } })(
    'raiseEvents',
    'Raise events of a system of your own',
    `One event or up to ${maxEvents.toLocaleString('en')}, all or none. 202 means that the events and their deliveries are stored. ` +
      'Ids are yours: one that you used before with the same content counts as a duplicate and raises nothing, with another content it is 409. ' +
      'They are remembered for as long as events are kept.',
  ),
  {
    body: OneOrMany,
    response: {
      202: Type.Object(
        {
          accepted: Type.Integer({ description: 'Events that were raised.' }),
          duplicates: Type.Integer({ description: 'Events that had been raised before.' }),
        },
        { description: 'The events and their deliveries are stored.' },
      ),
    },
  },
)
