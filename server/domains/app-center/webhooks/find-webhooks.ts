import type { Subscription } from '#delivery/subscriber/subscription.ts'
import type { Subscriptions } from '#delivery/subscriptions/subscriptions.ts'
import { withSettings } from '#delivery/surface/owned.ts'
import { existing } from '#delivery/surface/surface.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { findWebhook, listWebhooks, type Webhook } from './store.ts'

/** A webhook with the settings the engine keeps of it. */
export interface FullWebhook extends Webhook {
  readonly settings: Subscription
}

/** Reads the webhooks of a project. One that is not there, or another project's, is 404. */
export const makeFindWebhooks = (subscriptions: Pick<Subscriptions, 'find' | 'findAll'>) => ({
  async find(db: Db | Tx, projectId: string, id: string): Promise<FullWebhook> {
    const webhook = existing(await findWebhook(db, projectId, id))
    return { ...webhook, settings: existing(await subscriptions.find(db, webhook.subscriptionId)) }
  },

  async list(db: Db, projectId: string, query: Page): Promise<Rows<FullWebhook>> {
    const { rows, ...found } = await listWebhooks(db, projectId, query)
    return { ...found, rows: await withSettings(db, subscriptions, rows, ({ subscriptionId }) => subscriptionId) }
  },
})

export type FindWebhooks = ReturnType<typeof makeFindWebhooks>
