import { Type } from 'typebox'
import { webhookIdOf } from '#delivery/tables/webhook-id.ts'
import type { Delivery } from '#delivery/log/delivery-log.ts'
import { camelTiming, makeAttemptShape } from '#delivery/surface/attempt-shape.ts'
import {
  createdBetween,
  createdParameters,
  deliveryList,
  deliveryRoutes,
  idOfWebhookId,
  webhookIdParameter,
  type RetryByQueue,
} from '#delivery/surface/delivery-routes.ts'
import { makeExplanationShape } from '#delivery/surface/explanation.ts'
import { camelCase, makeShape, renaming } from '#delivery/surface/shape.ts'
import type { Surface } from '#delivery/surface/surface.ts'
import { pingEventTypes, projectEventTypes } from '#events/catalogue.ts'
import { invalidField, notFound } from '#platform/errors.ts'
import { Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import { fromObjectId, toObjectId } from '#platform/object-ids.ts'
import { changing, reading, objectIdOf } from '../access/index.ts'
import type { Dependencies } from '../dependencies.ts'
import { pathIds } from '../schemas.ts'
import { DeliveryParams, WebhookParams } from './schemas.ts'
import { queuedDelivery, QueuedDelivery, refuseInactive } from './by-hand-routes.ts'
import { route } from './webhook-surface.ts'

const statuses = ['pending', 'delivered', 'failed', 'cancelled', 'held'] as const
const eventTypes = [...projectEventTypes, ...pingEventTypes] as const

const naming = renaming(camelCase, { eventType: 'event', lastStatus: 'responseStatus', lastReason: 'reason' })
const fields = {
  id: pathIds.deliveryId,
  messageId: Type.String({
    description: 'The header `webhook-id` of every attempt.',
    examples: ['01a15b87-3b5c-7000-8d2e-6f7a8b9c0d1e'],
  }),
  eventType: OneOf(eventTypes),
  status: OneOf(statuses, {
    description:
      'pending: due now or later. held: happened while deliveries had failed for days; sent when the webhook is switched on again.',
  }),
  attempts: Type.Integer({ description: 'Attempts begun, the one under way included.' }),
  nextAttemptAt: Nullable(Timestamp),
  lastStatus: Nullable(Type.Integer({ description: 'Of the last attempt that ended; null without an answer.' })),
  lastReason: Nullable(
    Type.String({ description: 'Why the last attempt ended as it did, in a word.', examples: ['http_503', 'timeout'] }),
  ),
  createdAt: Timestamp,
  finishedAt: Nullable(Timestamp),
}
type Shown = Omit<Delivery, 'id'> & { readonly id: string; readonly messageId: string }
const record = makeShape<Shown>(naming, fields, {
  title: 'WebhookDelivery',
  description: 'An event on its way to a webhook.',
})
const attempt = makeAttemptShape(camelCase, {
  title: 'WebhookDeliveryAttempt',
  description: 'One attempt to deliver to a webhook.',
  timing: camelTiming,
})
const { id, messageId, eventType } = fields
const explanation = makeExplanationShape<Pick<Shown, 'messageId' | 'eventType' | 'occurredAt'> & { delivery: string }>(
  naming,
  'WebhookDeliveryExplanation',
  { delivery: id, messageId, eventType, occurredAt: Timestamp },
)
const Detail = Type.Object(
  {
    ...record.schema.properties,
    payload: Type.Unknown({ description: 'The body, as every attempt sends it.' }),
    attemptLog: Type.Array(attempt.schema, { description: 'The first one first.' }),
  },
  { title: 'WebhookDeliveryDetail', description: 'A delivery to a webhook, with its body and its attempts.' },
)

type Deps = Surface & Pick<Dependencies, 'baseUrl' | 'redeliveries' | 'installationId'>

/** What was delivered to a webhook (contract, section 3). */
export const webhookDeliveryRoutes = ({ redeliveries, installationId, ...webhooks }: Deps) => {
  const shown = (delivery: Delivery): Shown => ({
    ...delivery,
    id: toObjectId(delivery.id),
    messageId: webhookIdOf(delivery.id, installationId),
  })
  return deliveryRoutes(webhooks, {
    route,
    path: `${webhooks.path}/deliveries`,
    params: WebhookParams,
    itemPath: `${webhooks.path}/deliveries/:deliveryId`,
    itemParams: DeliveryParams,
    idOf: (request) => {
      webhooks.owner(request)
      const { deliveryId } = request.params as { readonly deliveryId: string }
      // What names nothing must match nothing: no delivery has the id 0.
      return fromObjectId(objectIdOf('deliveryId', deliveryId)) ?? 0
    },
    visible: async (db, request) => [await webhooks.owner(request).findHistory(db)],
    list: deliveryList({
      messageId: webhookIdParameter('A `webhook-id`, with or without hyphens.'),
      event: Type.Optional(OneOf(eventTypes, { description: 'Only of this event.' })),
      status: Type.Optional(OneOf(statuses, { description: 'Only with this status.' })),
      ...createdParameters('createdAt', 'refused'),
    }),
    filterOf: ({ messageId: sent, event, status, ...created }, subscriptionIds) => ({
      subscriptionIds,
      ...createdBetween(created, 'createdAt', 'refused'),
      id: idOfWebhookId(sent, installationId),
      eventType: event,
      statuses: status === undefined ? undefined : [status],
    }),
    record: record.schema,
    detail: Detail,
    toRecords: async (deliveries) => deliveries.map((delivery) => record.toRecord(shown(delivery))),
    toDetail: (of, { body }, attempts) => ({
      ...of,
      payload: body === null ? null : (JSON.parse(body) as unknown),
      attemptLog: attempts.map(attempt.toRecord),
    }),
    operations,
    explain: {
      operation: operations.explain,
      schema: explanation.schema,
      toRecord: (delivery, why) =>
        explanation.toRecord({ ...shown(delivery), delivery: toObjectId(delivery.id), explanation: why }),
    },
    retry: {
      ...retry,
      redeliveries,
      check: async (tx, _, request) => {
        await refuseInactive(tx, webhooks, await webhooks.owner(request).find(tx))
      },
      toAnswer: (delivery, request) => queuedDelivery(webhooks.baseUrl(), request, delivery.id),
    },
  })
}

const operations = {
  list: reading(
    'listProjectWebhookDeliveries',
    'List what was delivered to a webhook',
    'The newest first. Those of a webhook that was removed can still be read.',
  ),
  get: reading(
    'getProjectWebhookDelivery',
    'Get a delivery with its attempts',
    'What was sent and what came back, attempt by attempt.',
  ),
  explain: reading(
    'explainProjectWebhookDelivery',
    'Say why a delivery did or did not arrive',
    'Those of a webhook that was removed can still be asked for.',
  ),
  retry: changing(
    'retryProjectWebhookDelivery',
    'Deliver again',
    'Queues the delivery, due at once, with the same webhook-id and the same bytes; one that was delivered goes out once more. ' +
      '400 while it is still due, which `force` overrules, while an attempt is under way, and when the webhook is not active.',
  ),
}

const retry = {
  operation: operations.retry,
  force: 'Also one that is still due. Default: false.',
  response: { 202: QueuedDelivery },
  // Who asks for a received one wants it sent again; only what is due needs to be forced (contract, section 11).
  retried: ['delivered'],
  // A delivery that was received since it was read is what the caller wanted.
  refusals: {
    gone: () => notFound('This delivery is not kept any more.'),
    under_way: () => invalidField('non_field_errors', 'An attempt of this delivery is under way.'),
    due: () =>
      invalidField(
        'non_field_errors',
        'This delivery is still due; it is tried again by itself. {"force": true} puts it first, as soon as the receiver may be asked again.',
      ),
  },
} as const satisfies Omit<RetryByQueue, 'redeliveries' | 'check' | 'toAnswer'>
