import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { expiringStatuses } from './expiring.ts'
import type { Quotation } from '../quotation.ts'
import { columns, toQuotation } from '../store.ts'

/** Who is warned. */
export type Warned = 'seller' | 'owner'
const warnedAt = { seller: 'sellerWarnedAt', owner: 'ownerWarnedAt' } as const

export interface Soon {
  readonly now: Date
  /** Those that expire by then. */
  readonly before: Date
  readonly most: number
}

/**
 * Notes that somebody is warned of quotations that expire soon, of each once for each time to expire. What somebody else
 * holds is left to the next time. It changes nothing of the quotations, so their version stays.
 * @returns those of which nobody was warned before, in the order of their ids.
 */
export const noteWarned = async (tx: Tx, who: Warned, { now, before, most }: Soon): Promise<Quotation[]> => {
  const soon = tx
    .selectFrom('quotations')
    .select('id')
    .where('status', 'in', expiringStatuses)
    .where('expiresAt', '>', now)
    .where('expiresAt', '<=', before)
    .where(warnedAt[who], 'is', null)
    .orderBy('id')
    .limit(most)
    .forUpdate()
    .skipLocked()
  const ids = (await soon.execute()).map(({ id }) => id)
  if (ids.length === 0) return []
  const rows = await tx
    .updateTable('quotations')
    .set({ [warnedAt[who]]: now })
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .returning(columns)
    .execute()
  return rows.map(toQuotation).toSorted((one, other) => one.id - other.id)
}
