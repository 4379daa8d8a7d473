import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'

/** Of rows of `subscriptions`: how many fail, and how many the server has switched off. */
export const troubled = [
  sql<number>`count(*) filter (where subscriptions.is_active and subscriptions.health = 'failing')`.as('failing'),
  sql<number>`count(*) filter (where not subscriptions.is_active and subscriptions.disabled_reason in ('failing', 'gone'))`.as(
    'switchedOff',
  ),
] as const

/** How many subscriptions there are that are active, that fail, and that the server has switched off. */
export const readSubscriptionFacts = async (db: Db) => {
  const [facts] = await db
    .selectFrom('subscriptions')
    .select([sql<number>`count(*) filter (where subscriptions.is_active)`.as('active'), ...troubled])
    .where('deletedAt', 'is', null)
    .execute()
  return facts ?? { active: 0, failing: 0, switchedOff: 0 }
}

/** What has been reached of a first delivery. */
export interface FirstSteps {
  readonly hasSubscription: boolean
  readonly hasEvent: boolean
  readonly hasDeliveredEvent: boolean
}

/** Whether there is a subscription, an event, and one that arrived: among the newest 10,000, or where an endpoint is known to work. */
export const readFirstSteps = async (db: Db): Promise<FirstSteps> => {
  const { rows } = await sql<FirstSteps>`
    select exists (select from subscriptions where deleted_at is null) as has_subscription,
      exists (select from events) as has_event,
      exists (select from subscriptions where last_success_at is not null)
        or exists (select from (select status from deliveries order by id desc limit 10000) newest where status = 'delivered')
        as has_delivered_event`.execute(db)
  return rows[0] ?? { hasSubscription: false, hasEvent: false, hasDeliveredEvent: false }
}
