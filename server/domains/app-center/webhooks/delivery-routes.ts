import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { attemptsOf, findDelivery, listDeliveries } from '#delivery/log/delivery-log.ts'
import { deliveryIdOf } from '#delivery/tables/webhook-id.ts'
import type { Db } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import { sendArray } from '#platform/http/pagination.ts'
import { fromObjectId, toObjectId } from '#platform/object-ids.ts'
import { memberAccess, objectIdOf, type Member, type MemberWrite } from '../access/index.ts'
import { projectErrors } from '../error-responses.ts'
import { toDeliveryDetail, toDeliveryRecord } from './delivery-record.ts'
import { DeliveryDetail, DeliveryQuery, DeliveryRecord, QueuedDelivery, Retry } from './delivery-schemas.ts'
import type { FindWebhooks } from './find-webhooks.ts'
import { DeliveryParams, NoBody, WebhookParams } from './schemas.ts'
import type { DeliveryPlace, SendAgain } from './send-again.ts'
import { collection, webhookPath } from './webhook-path.ts'

export interface DeliveryRoutesDeps {
  readonly db: Db
  readonly write: MemberWrite
  readonly baseUrl: () => string
  readonly webhooks: FindWebhooks
  readonly sendAgain: SendAgain
  readonly installationId: string
}

/** What was delivered to a webhook, and what is sent to it by hand (contract, section 3). */
export const deliveryRoutes =
  ({ db, write, baseUrl, webhooks, sendAgain, installationId }: DeliveryRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const deliveries = `${collection}/:webhookId/deliveries`
    const idOf = ({ webhookId }: { readonly webhookId: string }): string => objectIdOf('webhookId', webhookId)
    const placeOf = (params: DeliveryPlace): DeliveryPlace => ({
      webhookId: idOf(params),
      deliveryId: objectIdOf('deliveryId', params.deliveryId),
    })
    const queued = (member: Member, { webhookId, deliveryId }: DeliveryPlace) => ({
      status: 202,
      body: { delivery: deliveryId },
      headers: { location: `${baseUrl()}${webhookPath(member, webhookId)}/deliveries/${deliveryId}` },
    })

    app.get(deliveries, { schema: listSchema, config: access.list }, async (request, reply) => {
      const { page, limit, event, status, messageId } = request.query
      const subscriptionId = await webhooks.findHistory(db, request.member.projectId, idOf(request.params))
      const statuses = status === undefined ? undefined : [status]
      // What names nothing must match nothing: no delivery has the id 0.
      const id = messageId === undefined ? undefined : (deliveryIdOf(messageId, installationId) ?? 0)
      const filter = { subscriptionIds: [subscriptionId], id, eventType: event, statuses }
      const { rows, count } = await listDeliveries(db, filter, 'desc', { page, limit })
      return sendArray(
        reply,
        baseUrl(),
        { page, limit },
        { rows: rows.map((row) => toDeliveryRecord(row, installationId)), count },
      )
    })

    app.get(`${deliveries}/:deliveryId`, { schema: getSchema, config: access.get }, async (request) => {
      const { webhookId, deliveryId } = placeOf(request.params)
      const subscriptionId = await webhooks.findHistory(db, request.member.projectId, webhookId)
      const delivery = await findDelivery(db, fromObjectId(deliveryId) ?? 0, [subscriptionId])
      if (delivery === undefined) throw notFound()
      return toDeliveryDetail(delivery, await attemptsOf(db, delivery.id), installationId)
    })

    app.post(
      `${deliveries}/:deliveryId/retry`,
      { schema: retrySchema, config: access.retry },
      async (request, reply) => {
        const place = placeOf(request.params)
        return write(request, reply, async (tx, member) => {
          await sendAgain.retry(tx, member, place, request.body?.force ?? false)
          return queued(member, place)
        })
      },
    )

    app.post(`${collection}/:webhookId/ping`, { schema: pingSchema, config: access.ping }, async (request, reply) => {
      const webhookId = idOf(request.params)
      return write(request, reply, async (tx, member) => {
        const deliveryId = toObjectId(await sendAgain.ping(tx, member, webhookId))
        return queued(member, { webhookId, deliveryId })
      })
    })
  }

const access = {
  list: memberAccess('listWebhookDeliveries', 'projects:read'),
  get: memberAccess('getWebhookDelivery', 'projects:read'),
  retry: memberAccess('retryWebhookDelivery', 'projects:write'),
  ping: memberAccess('pingWebhook', 'projects:write'),
}

const tags = ['Project webhooks']
const listSchema = {
  tags,
  summary: 'List what was delivered to a webhook',
  description: 'The newest first. Those of a webhook that was removed can still be read.',
  operationId: 'listProjectWebhookDeliveries',
  params: WebhookParams,
  querystring: DeliveryQuery,
  response: { ...projectErrors, 200: Type.Array(DeliveryRecord) },
} as const
const getSchema = {
  tags,
  summary: 'Get a delivery with its attempts',
  operationId: 'getProjectWebhookDelivery',
  params: DeliveryParams,
  response: { ...projectErrors, 200: DeliveryDetail },
} as const
const retrySchema = {
  tags,
  summary: 'Deliver again',
  description:
    'Queues the delivery, due at once, with the same webhook-id and the same bytes; one that was delivered goes out once more. ' +
    '400 while it is still due, which `force` overrules, while an attempt is under way, and when the webhook is not active.',
  operationId: 'retryProjectWebhookDelivery',
  params: DeliveryParams,
  body: Retry,
  response: { ...projectErrors, 202: QueuedDelivery },
} as const
const pingSchema = {
  tags,
  summary: 'Send a ping to a webhook',
  description: 'The event `webhook.ping`, to this webhook alone. 400 when it is not active.',
  operationId: 'pingProjectWebhook',
  params: WebhookParams,
  body: NoBody,
  response: { ...projectErrors, 202: QueuedDelivery },
} as const
