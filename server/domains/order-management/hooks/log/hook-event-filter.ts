import { Type, type Static } from 'typebox'
import type { DeliveryFilter } from '#delivery/log/delivery-filter.ts'
import {
  createdBetween,
  createdParameters,
  deliveryList,
  idOfWebhookId,
  webhookIdParameter,
} from '#delivery/surface/delivery-routes.ts'
import { Body, IdOf } from '#platform/http/schemas.ts'
import { contentTypeName } from '#events/content-types.ts'
import { canonicalEventName } from '../../event-types/index.ts'
import { DeliveryState } from './hook-event-record.ts'

/** The kind of object that events are about, which `objectTypeOf` reads. */
export const objectTypeParameters = {
  content_type: Type.Optional(IdOf('Id of the content type of the object that the event is about.')),
  object_type: Type.Optional(
    Type.String({
      description: 'Kind of the object by name, also of kinds without a content type.',
      examples: ['package'],
    }),
  ),
}

/** What the log of hook events is filtered by. */
export const hookEventFilters = {
  event_type: Type.Optional(Type.String({ description: 'With dots or hyphens.' })),
  status: Type.Optional(DeliveryState),
  reason: Type.Optional(
    Type.String({ description: 'Why the last attempt ended as it did, in a word.', examples: ['timeout', 'http_503'] }),
  ),
  uuid: webhookIdParameter('With or without hyphens.'),
  response_http_status: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 999, description: 'HTTP status of the last answer.' }),
  ),
  webhook: Type.Optional(IdOf('Id of a hook.')),
  ...objectTypeParameters,
  object_id: Type.Optional(Type.String({ description: 'Id of the object that the event is about.' })),
  ...createdParameters('created_date', 'beginnings'),
  delivered: Type.Optional(Type.Boolean({ description: 'Whether the receiver took it.' })),
  waiting_for_earlier: Type.Optional(
    Type.Boolean({ description: 'Whether an earlier delivery about the same object has to be done first.' }),
  ),
}

export const hookEventList = deliveryList(hookEventFilters, ['created_date', 'id'])

/** The filters of the list, as a body names them. */
export const HookEventFilter = Body(hookEventFilters, [], {
  title: 'HookEventFilter',
  description: 'Which deliveries are meant: those that all of these fit.',
})
export type HookEventFilter = Static<typeof HookEventFilter>

/** The kind of object that those parameters name; undefined when they name none. */
export const objectTypeOf = (query: { content_type?: number; object_type?: string }): string | undefined => {
  const { content_type: contentType, object_type: objectType } = query
  if (contentType === undefined) return objectType
  const name = contentTypeName(contentType)
  // What names nothing, or two kinds, must match nothing: no object has an empty type.
  return name === undefined || (objectType ?? name) !== name ? '' : name
}

/**
 * The deliveries that a filter means, of the hooks that its sender may see.
 * @param path of the filters in the request, with a dot at its end.
 * @throws AppError 400 that names a filter which is not valid.
 */
export const deliveryFilterOf = (
  filter: HookEventFilter,
  visible: readonly number[],
  installationId: string,
  path = '',
): DeliveryFilter => {
  const { event_type: name, status, reason, uuid, webhook, delivered, waiting_for_earlier: isWaiting } = filter
  const { object_id: objectId, response_http_status: lastStatus } = filter
  return {
    subscriptionIds: webhook === undefined ? visible : visible.filter((id) => id === webhook),
    id: idOfWebhookId(uuid, installationId),
    objectType: objectTypeOf(filter),
    eventType: name === undefined ? undefined : canonicalEventName(name.toLowerCase()),
    statuses: status === undefined ? undefined : [status],
    delivered,
    isWaiting,
    lastStatus,
    lastReason: reason,
    objectId,
    ...createdBetween(filter, 'created_date', 'beginnings', path),
  }
}
