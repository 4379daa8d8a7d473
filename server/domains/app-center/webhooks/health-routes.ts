import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { findDelivery } from '#delivery/log/delivery-log.ts'
import { explainDelivery } from '#delivery/explain/explain.ts'
import { readHealth } from '#delivery/health/health-report.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { fromObjectId } from '#platform/object-ids.ts'
import { memberAccess, objectIdOf } from '../access/index.ts'
import { projectErrors } from '../error-responses.ts'
import { existing, type FindWebhooks } from './find-webhooks.ts'
import { toExplanationRecord, toHealthRecord } from './health-record.ts'
import { ExplanationRecord, HealthRecord } from './health-schemas.ts'
import { DeliveryParams, WebhookParams } from './schemas.ts'
import { collection } from './webhook-path.ts'

export interface HealthRoutesDeps {
  readonly db: Db
  readonly clock: Clock
  readonly webhooks: FindWebhooks
  readonly installationId: string
}

/** How the receiver of a webhook is doing, and why something was delivered to it or not. */
export const healthRoutes =
  ({ db, clock, webhooks, installationId }: HealthRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const one = `${collection}/:webhookId`

    app.get(`${one}/health`, { schema: healthSchema, config: access.health }, async ({ member, params }) => {
      const { subscriptionId } = await webhooks.find(db, member.projectId, objectIdOf('webhookId', params.webhookId))
      return toHealthRecord(existing(await readHealth(db, subscriptionId, clock.now())))
    })

    app.get(
      `${one}/deliveries/:deliveryId/explain`,
      { schema: explainSchema, config: access.explain },
      async ({ member, params }) => {
        const webhookId = objectIdOf('webhookId', params.webhookId)
        const id = fromObjectId(objectIdOf('deliveryId', params.deliveryId)) ?? 0
        const subscriptionId = await webhooks.findHistory(db, member.projectId, webhookId)
        const delivery = existing(await findDelivery(db, id, [subscriptionId]))
        const explanation = existing(await explainDelivery(db, delivery.id, clock.now()))
        return toExplanationRecord(delivery, explanation, installationId)
      },
    )
  }

const access = {
  health: memberAccess('getWebhookHealth', 'projects:read'),
  explain: memberAccess('explainWebhookDelivery', 'projects:read'),
}

const tags = ['Project webhooks']
const healthSchema = {
  tags,
  summary: 'Get how the receiver of a webhook is doing',
  description: 'Also who switched the webhook off and why, until when nothing is sent, and how much waits.',
  operationId: 'getProjectWebhookHealth',
  params: WebhookParams,
  response: { ...projectErrors, 200: HealthRecord },
} as const
const explainSchema = {
  tags,
  summary: 'Say why a delivery did or did not arrive',
  description: 'Those of a webhook that was removed can still be asked for.',
  operationId: 'explainProjectWebhookDelivery',
  params: DeliveryParams,
  response: { ...projectErrors, 200: ExplanationRecord },
} as const
