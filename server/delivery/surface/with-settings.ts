import type { Subscription } from '../subscriber/subscription.ts'
import type { Subscriptions } from '../subscriptions/subscriptions.ts'
import type { Db, Tx } from '#platform/db/database.ts'

/**
 * Rows of a surface, each with the settings of its subscription, in one statement for all of them.
 * Rows that were removed since they were read are left out.
 */
export const withSettings = async <T>(
  db: Db | Tx,
  subscriptions: Pick<Subscriptions, 'findAll'>,
  rows: readonly T[],
  idOf: (row: T) => number,
): Promise<(T & { readonly settings: Subscription })[]> => {
  const settingsOf = await subscriptions.findAll(db, rows.map(idOf))
  return rows.flatMap((row) => {
    const settings = settingsOf.get(idOf(row))
    return settings === undefined ? [] : [{ ...row, settings }]
  })
}
