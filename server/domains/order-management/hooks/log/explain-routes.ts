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
import { contentTypeName } from './hook-event-record.ts'
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
  content_type: Type.Optional(IdOf('Id of the content type of the object; needs `object_id`.')),
  object_id: Type.Optional(Type.String({ description: 'Id of the object; needs `content_type`.' })),
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
  const { event, content_type: contentType, object_id: objectId, event_type: eventType } = query
  if (event !== undefined && contentType === undefined && objectId === undefined && eventType === undefined)
    return event
  if (event !== undefined) throw invalidFields({ event: ['Name either an event, or an object and its events.'] })
  const missing = ['This field is required, unless an event is named.']
  if (contentType === undefined || objectId === undefined)
    throw invalidFields({
      ...(contentType === undefined ? { content_type: missing } : {}),
      ...(objectId === undefined ? { object_id: missing } : {}),
    })
  return {
    // What names nothing must match nothing: no object has an empty type.
    objectType: contentTypeName(contentType) ?? '',
    objectId,
    eventType: eventType === undefined ? undefined : canonicalEventName(eventType.toLowerCase()),
  }
}

const explainSome = route(
  reading(
    'explainHook',
    'Say why a hook did or did not get an event',
    'Of one `event`, or of the 20 newest events of an object (`content_type` and `object_id`, and `event_type` if wanted), ' +
      'also where there is no delivery.',
  ),
  { params: IdParams, querystring: ExplainQuery, response: { 200: Type.Array(shape.schema) } },
)
