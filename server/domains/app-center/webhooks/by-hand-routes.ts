import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import type { Subscription } from '#delivery/subscriber/subscription.ts'
import { recoveryRoutes, type Recovery } from '#delivery/surface/recovery-routes.ts'
import type { Surface } from '#delivery/surface/surface.ts'
import type { PingData } from '#events/ping.ts'
import type { Tx } from '#platform/db/database.ts'
import { invalidField, orNotFound } from '#platform/errors.ts'
import type { Answer } from '#platform/http/idempotency.ts'
import { Described, OptionalBody, SentTime } from '#platform/http/schemas.ts'
import { toObjectId } from '#platform/object-ids.ts'
import { changing, objectIdOf } from '../access/index.ts'
import { scopeOf, type Dependencies } from '../dependencies.ts'
import { pathIds } from '../schemas.ts'
import { WebhookParams } from './schemas.ts'
import { findWebhook } from './store.ts'
import { subscribedEvents } from './webhook-input.ts'
import { route, webhookPath } from './webhook-surface.ts'

type Deps = Surface & Pick<Dependencies, 'baseUrl' | 'outbox' | 'redeliveries'>

/** Sends a ping to a webhook (contract, section 11). */
export const pingRoutes =
  (webhooks: Deps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { write, baseUrl, outbox } = webhooks

    app.post(`${webhooks.path}/ping`, ping, async (request, reply) => {
      const webhookId = objectIdOf('webhookId', request.params.webhookId)
      const { organizationId, projectId } = request.member
      return write(request, reply, async (tx) => {
        const { name, subscriptionId } = orNotFound(await findWebhook(tx, projectId, webhookId))
        const { eventTypes } = await refuseInactive(tx, webhooks, subscriptionId)
        const data: Static<typeof PingData> = {
          _id: webhookId,
          organization: organizationId,
          project: projectId,
          name,
          events: subscribedEvents(eventTypes),
        }
        const object = { type: 'webhook', id: webhookId } as const
        const message = { type: 'webhook.ping', scope: scopeOf(projectId), object, data } as const
        const id = await outbox.send(tx, subscriptionId, message)
        // Switched off since it was read.
        if (id === undefined) throw notActive()
        return queuedDelivery(baseUrl(), request, id)
      })
    })
  }

/**
 * A job puts what failed for good or is held back in the queue, with the same ids and bytes, so a process that dies
 * in between loses nothing. What is due, and what was delivered, is left alone.
 */
export const webhookRecoveryRoutes = (webhooks: Deps) => {
  const { clock, redeliveries } = webhooks
  const requestOf = ({ subscriptionId, since }: Recovery) => ({
    filter: { subscriptionIds: [subscriptionId], createdFrom: since },
    force: false,
  })
  const count = async (tx: Tx, recovery: Recovery) => {
    const { count: found, isExact } = await redeliveries.countRetry(tx, requestOf(recovery))
    return { count: found, isExact }
  }
  return recoveryRoutes(webhooks, {
    ...recover,
    dates: 'refused',
    isStarted: (body) => (body as Static<typeof recover.body>)?.dryRun !== true,
    count,
    async start(tx, recovery) {
      await refuseInactive(tx, webhooks, recovery.subscriptionId)
      const body = await count(tx, recovery)
      // A matter of the project, not of who asks: it goes on when they have left.
      await redeliveries.startRetry(tx, { ...requestOf(recovery), requestedBy: null, asked: {} }, clock.now())
      return { status: 202, body }
    },
  })
}

/** The answer to what queued a delivery to the webhook of a request. */
export const queuedDelivery = (baseUrl: string, { member, params }: FastifyRequest, id: number): Answer => {
  const delivery = toObjectId(id)
  const webhookId = objectIdOf('webhookId', (params as { readonly webhookId: string }).webhookId)
  const location = `${baseUrl}${webhookPath(member, webhookId)}/deliveries/${delivery}`
  return { status: 202, body: { delivery }, headers: { location } }
}

/** @throws AppError 400 for a webhook that is not active: nothing would be sent; 404. */
export const refuseInactive = async (tx: Tx, { subscriptions }: Surface, id: number): Promise<Subscription> => {
  const settings = orNotFound(await subscriptions.find(tx, id))
  if (!settings.isActive) throw notActive()
  return settings
}

/** Whoever switched it off: nothing is sent to a webhook that is off because somebody asks for it. */
const notActive = () =>
  invalidField(
    'active',
    'The webhook is not active, so nothing would be sent: PATCH it with {"active": true} first. Its health says who switched it off.',
  )

export const QueuedDelivery = Type.Object(
  { delivery: pathIds.deliveryId },
  { title: 'QueuedDelivery', description: 'The delivery that was put in the queue.' },
)

const ping = route(
  changing(
    'pingProjectWebhook',
    'Send a ping to a webhook',
    'The event `webhook.ping`, to this webhook alone. 400 when it is not active.',
  ),
  { params: WebhookParams, body: OptionalBody({}), response: { 202: QueuedDelivery } },
)

const Recovered = Type.Object(
  {
    count: Type.Integer({ description: 'Deliveries that are sent again.' }),
    isExact: Type.Boolean({ description: 'false when there are more than were counted.' }),
  },
  { title: 'WebhookRecovered', description: 'How many deliveries are sent again.' },
)
const recover = {
  operation: changing(
    'recoverProjectWebhook',
    'Send a webhook again what failed or was held',
    'Every delivery that failed for good or is held goes in the queue, at most 200 in a second, with the same webhook-id and the same ' +
      'bytes. What is due, and what was delivered, is left alone. 400 when the webhook is not active. The body can be left out.',
  ),
  body: OptionalBody(
    {
      since: Type.Optional(SentTime({ description: 'Deliveries made since then. Absent: all that are kept.' })),
      dryRun: Type.Optional(Type.Boolean({ description: 'Only count. Default: false.' })),
    },
    {
      title: 'WebhookRecovery',
      description: 'What a webhook is sent again.',
      examples: [{ since: '2026-11-21T09:30:00Z', dryRun: true }],
    },
  ),
  response: {
    200: Described('With `dryRun`: how many it would be.', Recovered),
    202: Described('How many are sent again; it goes on by itself.', Recovered),
  },
}
