import type { Redeliveries } from '#delivery/redelivery/redeliveries.ts'
import type { Subscriptions } from '#delivery/subscriptions/subscriptions.ts'
import { changeSettings } from '#delivery/surface/owned.ts'
import { existing } from '#delivery/surface/surface.ts'
import type { Clock } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { invalidField } from '#platform/errors.ts'
import { newObjectId } from '#platform/object-ids.ts'
import type { Member } from '../access/index.ts'
import { deleteWebhooksOf, holdWebhooksOf, insertWebhook, lockWebhook, markRemoved, updateWebhook } from './store.ts'
import { newSettings, settingsFields, type WebhookInput } from './webhook-input.ts'

/** At most so many in a project (contract, section 3). */
const mostWebhooks = 50

export interface ManageWebhooksDeps {
  readonly clock: Clock
  readonly subscriptions: Subscriptions
  readonly redeliveries: Pick<Redeliveries, 'startRetry'>
}

/**
 * Changes of the webhooks of a project. Every function does all of it in the transaction it is given, and all
 * lock in this order: the project, the webhook, its subscription. A webhook of another project is 404.
 */
export const makeManageWebhooks = (deps: ManageWebhooksDeps) => {
  const { clock, subscriptions } = deps
  return {
    /** @returns the id of the new webhook. @throws AppError 400 for one too many. */
    async create(tx: Tx, { principal, projectId }: Member, input: WebhookInput): Promise<string> {
      if ((await holdWebhooksOf(tx, projectId)) >= mostWebhooks) throw tooMany()
      const now = clock.now()
      const id = newObjectId(now)
      const subscriptionId = await subscriptions.create(tx, newSettings(projectId, input.settings))
      const { name = '' } = input
      await insertWebhook(tx, {
        id,
        projectId,
        subscriptionId,
        name,
        createdBy: principal.userId,
        createdAt: now,
        updatedAt: now,
      })
      return id
    },

    async patch(tx: Tx, projectId: string, id: string, input: WebhookInput): Promise<void> {
      const { subscriptionId, name } = existing(await lockWebhook(tx, projectId, id))
      await changeSettings(tx, deps, subscriptionId, { sent: input.settings, fields: settingsFields })
      await updateWebhook(tx, { id, name: input.name ?? name, updatedAt: clock.now() })
    },

    /** What was still due is cancelled; what was delivered can still be read. */
    async remove(tx: Tx, projectId: string, id: string): Promise<void> {
      const webhook = existing(await lockWebhook(tx, projectId, id))
      await markRemoved(tx, id, clock.now())
      await subscriptions.remove(tx, webhook.subscriptionId)
    },

    /** Removes every webhook of an organization that is about to be removed itself. */
    async removeAllOf(tx: Tx, organizationId: string): Promise<void> {
      for (const id of await deleteWebhooksOf(tx, organizationId)) await subscriptions.remove(tx, id)
    },
  }
}

export type ManageWebhooks = ReturnType<typeof makeManageWebhooks>

const tooMany = () =>
  invalidField('non_field_errors', `A project has at most ${mostWebhooks} webhooks; remove one first.`)
