import type { Subscription } from '#delivery/subscriber/subscription.ts'
import type { Subscriptions } from '#delivery/subscriptions/subscriptions.ts'
import { withSettings as attachSettings } from '#delivery/surface/with-settings.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import type { Page, Rows } from '#platform/http/pagination.ts'
import { findSubscriptionId, findWebhook, listWebhooks, type Webhook } from './store.ts'

/** A webhook with the settings the engine keeps of it. */
export interface FullWebhook extends Webhook {
  readonly settings: Subscription
}

/** Reads the webhooks of a project. One that is not there, or another project's, is 404. */
export const makeFindWebhooks = (subscriptions: Pick<Subscriptions, 'find' | 'findAll'>) => ({
  find: async (db: Db | Tx, projectId: string, id: string): Promise<FullWebhook> =>
    withSettings(db, subscriptions, await findWebhook(db, projectId, id)),

  /** The subscription of a webhook, also of one that was removed: what was delivered to it is still told. */
  findHistory: async (db: Db, projectId: string, id: string): Promise<number> =>
    existing(await findSubscriptionId(db, projectId, id)),

  async list(db: Db, projectId: string, ordering: string, page: Page): Promise<Rows<FullWebhook>> {
    const { rows, count } = await listWebhooks(db, projectId, ordering, page)
    return { rows: await attachSettings(db, subscriptions, rows, ({ subscriptionId }) => subscriptionId), count }
  },
})

export type FindWebhooks = ReturnType<typeof makeFindWebhooks>

/** @throws AppError 404 when there is no such webhook. */
export const withSettings = async (
  db: Db | Tx,
  subscriptions: Pick<Subscriptions, 'find'>,
  webhook: Webhook | undefined,
): Promise<FullWebhook> => {
  const { subscriptionId, ...rest } = existing(webhook)
  return { ...rest, subscriptionId, settings: existing(await subscriptions.find(db, subscriptionId)) }
}

/** @throws AppError 404 for what is not there. */
export const existing = <T>(found: T | undefined): T => {
  if (found === undefined) throw notFound()
  return found
}
