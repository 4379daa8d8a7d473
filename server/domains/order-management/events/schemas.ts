import { Type, type Static } from 'typebox'
import { orderManagementEvents } from '#events/order-management.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { CheckedElsewhere, errorResponses, SentTime } from '#platform/http/schemas.ts'

/** Events that one request may raise (contract, section 8). */
export const maxEvents = 1_000
/** Characters of an object's id. */
export const maxObjectId = 200

const Event = Type.Object(
  {
    id: Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Your id of the event. Sent again with the same content it raises nothing.',
      examples: ['wms-4711'],
    }),
    type: CheckedElsewhere(
      Type.String({
        maxLength: 200,
        description: `An event type of your own, or one of Waybill's; hyphens and dots are alike: ${Object.keys(orderManagementEvents).toSorted().join(', ')}.`,
        examples: ['package.status.packed'],
      }),
      { minLength: 1 },
    ),
    data: Type.Unsafe<Readonly<Record<string, unknown>>>({
      ...Type.Object({}),
      description:
        "The object after the change, delivered as it is. It has to fit the schema of a type of your own; of Waybill's types any object will do, unless strict is asked for.",
    }),
    object: Type.Optional(
      Type.Object(
        {
          type: Type.String({ pattern: String.raw`^[\w.-]+$`, maxLength: 100 }),
          id: Type.Unsafe<string | number>({
            type: ['string', 'integer'],
            minLength: 1,
            maxLength: maxObjectId,
            minimum: Number.MIN_SAFE_INTEGER,
            maximum: Number.MAX_SAFE_INTEGER,
          }),
        },
        {
          additionalProperties: false,
          description:
            'What the event is about; events of one object are numbered and kept in order. Without it: the kind of object that its type is about, with data.id, or else with the id of the event.',
          examples: [{ type: 'customer', id: 7 }],
        },
      ),
    ),
    timestamp: Type.Optional(
      SentTime({ description: 'When it happened: RFC 3339, or `YYYY-MM-DD HH:MM:SS` in UTC. Without it: now.' }),
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
    querystring: Type.Object({
      strict: Type.Boolean({
        default: false,
        description: "Whether data of Waybill's own types has to be as the type describes it under webhooks.",
      }),
    }),
    body: OneOrMany,
    response: {
      202: Type.Object(
        {
          accepted: Type.Integer({ minimum: 0, description: 'Events that were raised.' }),
          duplicates: Type.Integer({ minimum: 0, description: 'Events that had been raised before.' }),
        },
        { description: 'The events and their deliveries are stored.' },
      ),
    },
  },
)
