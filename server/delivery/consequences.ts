import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { Settlement } from './settle.ts'

/**
 * What an answer means for the subscription as a whole: quiet for a while, or off for good. Written
 * before the attempt's end, so that a crash in between sends the delivery again rather than losing
 * what the receiver asked for.
 */
export const applyToSubscription = async (
  db: Db,
  subscriptionId: number,
  { holdUntil, disable }: Settlement,
): Promise<void> => {
  if (holdUntil !== null) {
    await db
      .updateTable('subscriptions')
      .set({ holdUntil: sql`greatest(hold_until, ${holdUntil}::timestamptz)` })
      .where('id', '=', subscriptionId)
      .execute()
  }
  if (disable) {
    await db
      .updateTable('subscriptions')
      .set({ isActive: false, disabledReason: 'gone', version: sql`version + 1` })
      .where('id', '=', subscriptionId)
      .where('isActive', '=', true)
      .execute()
  }
}
