import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'

/** Deliveries looked at, the newest first. */
const maxLookedAt = 1_000

/**
 * When the last delivery to a subscription succeeded, as its newest deliveries tell; null when none of them
 * did. A subscription that is well does not write each success into its own row.
 */
export const lastDeliveredAt = async (db: Db | Tx, subscriptionId: number): Promise<Date | null> => {
  const { rows } = await sql<{ at: Date | null }>`
    select max(finished_at) as at from (
      select finished_at, status from deliveries
      where subscription_id = ${subscriptionId} order by id desc limit ${maxLookedAt}
    ) newest where status = 'delivered'`.execute(db)
  return rows[0]?.at ?? null
}
