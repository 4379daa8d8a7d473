import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type, type Static } from 'typebox'
import { explainEvent, findEventIds, type ExplainedEvent } from '#delivery/explain/explain.ts'
import type { ExplainOptions } from '#delivery/surface/delivery-routes.ts'
import { makeExplanationShape } from '#delivery/surface/explanation.ts'
import { snakeCase } from '#delivery/surface/shape.ts'
import type { Surface } from '#delivery/surface/surface.ts'
import { invalidFields } from '#platform/errors.ts'
import { Id, IdOf, IdParams, Nullable, Timestamp } from '#platform/http/schemas.ts'
import { canonicalEventName } from '../../event-types/index.ts'
import { objectTypeOf, objectTypeParameters } from './hook-event-filter.ts'
import { reading, route } from '../hook-surface.ts'

/** Events of an object that one answer explains. */
const maxEvents = 20

const shape = makeExplanationShape<Omit<ExplainedEvent, 'explanation'> & { hook: number }>(
  (field) => ({ eventId: 'event', deliveryId: 'hook_event' })[field] ?? snakeCase(field),
  'Explanation',
  {
    eventId: Type.Integer({ description: 'Id of the event.' }),
    eventType: Nullable(Type.String()),
    occurredAt: Nullable(Timestamp),
    hook: Id,
    deliveryId: Nullable(Type.Integer({ description: 'Id of the delivery, if there is one.' })),
  },
)

/** Either one event, or the object that events are about. */
const ExplainQuery = Type.Object({
  event: Type.Optional(IdOf('Id of an event, instead of an object.')),
  ...objectTypeParameters,
  object_id: Type.Optional(Type.String({ description: 'Id of the object; needs `content_type` or `object_type`.' })),
  event_type: Type.Optional(Type.String({ description: 'With dots or hyphens.' })),
})

/** Why a delivery is where it is. */
export const explainOne: ExplainOptions = {
  operation: reading(
    'explainHookEvent',
    'Say why a delivery did or did not arrive',
    'In a sentence, with what comes next and what to do.',
  ),
  schema: shape.schema,
  toRecord: (delivery, explanation) =>
    shape.toRecord({ ...delivery, deliveryId: delivery.id, hook: delivery.subscriptionId, explanation }),
}

/** Why something was delivered to a hook or not. */
export const explainRoutes =
  ({ db, clock, owner, path }: Surface): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(`${path}/explain`, explainSome, async (request) => {
      const wanted = wantedOf(request.query)
      // Removed hooks too: what they got, and what they did not, can still be asked.
      const hook = await owner(request).findHistory(db)
      const events = typeof wanted === 'number' ? [wanted] : await findEventIds(db, wanted, maxEvents)
      const records: Record<string, unknown>[] = []
      for (const event of events) {
        const explained = await explainEvent(db, event, hook, clock.now())
        if (explained !== undefined && mayKnow(explained)) records.push(shape.toRecord({ ...explained, hook }))
      }
      return records
    })
  }

/** How a webhook of somebody else is doing is only for those who have subscribed to it. */
const mayKnow = ({ eventType, deliveryId }: { eventType: string | null; deliveryId: number | null }): boolean =>
  deliveryId !== null || eventType?.startsWith('webhook.') !== true

/** @throws AppError 400 unless one event is named, or the object of some. */
const wantedOf = (query: Static<typeof ExplainQuery>) => {
  const { event, object_id: objectId, event_type: eventType } = query
  const objectType = objectTypeOf(query)
  if (event !== undefined && objectType === undefined && objectId === undefined && eventType === undefined) return event
  if (event !== undefined) throw invalidFields({ event: ['Name either an event, or an object and its events.'] })
  if (objectType === undefined || objectId === undefined)
    throw invalidFields({
      ...(objectType === undefined
        ? { content_type: ['This field or object_type is required, unless an event is named.'] }
        : {}),
      ...(objectId === undefined ? { object_id: ['This field is required, unless an event is named.'] } : {}),
    })
  return {
    objectType,
    objectId,
    eventType: eventType === undefined ? undefined : canonicalEventName(eventType.toLowerCase()),
  }
}

const explainSome = route(
  reading(
    'explainHook',
    'Say why a hook did or did not get an event',
    'Of one `event`, or of the 20 newest events of an object (`content_type` or `object_type`, `object_id`, and `event_type` if wanted), ' +
      'also where there is no delivery.',
  ),
  { params: IdParams, querystring: ExplainQuery, response: { 200: Type.Array(shape.schema) } },
)
