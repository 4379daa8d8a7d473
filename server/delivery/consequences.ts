import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { Settlement } from './settle.ts'
import type { Subscription } from './subscription.ts'

/**
 * What an answer means for the subscription as a whole: quiet for a while, or off for good. Written
 * before the attempt's end, so that a crash in between sends the delivery again rather than losing
 * what the receiver asked for. Only for the version that was attempted: what an old address says is not
 * about the new one.
 */
export const applyToSubscription = async (
  db: Db,
  { id, version }: Pick<Subscription, 'id' | 'version'>,
  { holdUntil, disable }: Settlement,
): Promise<void> => {
  if (holdUntil !== null) {
    await db
      .updateTable('subscriptions')
      .set({ holdUntil: sql`greatest(hold_until, ${holdUntil}::timestamptz)` })
      .where('id', '=', id)
      .where('version', '=', version)
      .execute()
  }
  if (disable) {
    await db
      .updateTable('subscriptions')
      .set({ isActive: false, disabledReason: 'gone', version: sql`version + 1` })
      .where('id', '=', id)
      .where('version', '=', version)
      .where('isActive', '=', true)
      .execute()
  }
}
