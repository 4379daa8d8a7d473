import { findDelivery } from '#delivery/log/delivery-log.ts'
import type { Outbox } from '#delivery/outbox/outbox.ts'
import type { Redeliveries } from '#delivery/redelivery/redeliveries.ts'
import type { PingData } from '#events/ping.ts'
import type { Clock } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { invalidField, notFound } from '#platform/errors.ts'
import { fromObjectId } from '#platform/object-ids.ts'
import type { Static } from 'typebox'
import type { Member } from '../access/index.ts'
import { scopeOf } from '../dependencies.ts'
import { subscribedEvents } from './event-names.ts'
import type { FindWebhooks } from './find-webhooks.ts'

export interface SendAgainDeps {
  readonly clock: Clock
  readonly webhooks: FindWebhooks
  readonly outbox: Pick<Outbox, 'send'>
  readonly redeliveries: Pick<Redeliveries, 'retryOne'>
}

/** What is sent to a webhook because somebody asks for it (contract, section 11: Project webhooks). */
export const makeSendAgain = ({ clock, webhooks, outbox, redeliveries }: SendAgainDeps) => ({
  /** @returns id of the delivery. @throws AppError 400 for a webhook that is not active: nothing would arrive. */
  async ping(tx: Tx, { organizationId, projectId }: Member, webhookId: string): Promise<number> {
    const { name, subscriptionId, settings } = await webhooks.find(tx, projectId, webhookId)
    if (!settings.isActive) throw notActive()
    const data: Static<typeof PingData> = {
      _id: webhookId,
      organization: organizationId,
      project: projectId,
      name,
      events: subscribedEvents(settings.eventTypes),
    }
    const id = await outbox.send(tx, subscriptionId, {
      type: 'webhook.ping',
      scope: scopeOf(projectId),
      object: { type: 'webhook', id: webhookId },
      data,
    })
    // Switched off since it was read.
    if (id === undefined) throw notActive()
    return id
  },

  /**
   * Queues a delivery again, due at once, with the same id and bytes. One that was received is sent once more.
   * @param force also one that is still due.
   * @throws AppError 400 for a webhook that is not active, where it would only wait, and while it is due or under way; 404 when
   * it is none of this webhook.
   */
  async retry(tx: Tx, { projectId }: Member, at: DeliveryPlace, force: boolean): Promise<void> {
    const { subscriptionId, settings } = await webhooks.find(tx, projectId, at.webhookId)
    const delivery = await findDelivery(tx, fromObjectId(at.deliveryId) ?? 0, [subscriptionId])
    if (delivery === undefined) throw notFound()
    if (!settings.isActive) throw notActive()
    // Who asks for a received one wants it sent again; only what is due needs to be forced (contract, section 11).
    const isForced = force || delivery.status === 'delivered'
    const outcome = await redeliveries.retryOne(tx, delivery.id, { force: isForced }, clock.now())
    if (outcome === 'gone') throw notFound('This delivery is not kept any more.')
    if (outcome === 'under_way') throw invalidField('non_field_errors', 'An attempt of this delivery is under way.')
    if (outcome === 'due') throw stillDue()
    // Received since it was read, which is what was wanted.
  },
})

export type SendAgain = ReturnType<typeof makeSendAgain>

export interface DeliveryPlace {
  readonly webhookId: string
  readonly deliveryId: string
}

/** Whoever switched it off: nothing is sent to a webhook that is off because somebody asks for it. */
export const notActive = () =>
  invalidField(
    'active',
    'The webhook is not active, so nothing would be sent: PATCH it with {"active": true} first. Its health says who switched it off.',
  )

const stillDue = () =>
  invalidField(
    'non_field_errors',
    'This delivery is still due; it is tried again by itself. {"force": true} puts it first, as soon as the receiver may be asked again.',
  )
