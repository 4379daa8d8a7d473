import type { Generated } from 'kysely'
import type { TransferStatus } from '#events/order-management.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { offsetOf, type Page, type Rows } from '#platform/http/pagination.ts'
import type { TransferAction } from './lifecycle.ts'
import type { Disposition } from './stock-steps.ts'

/** One change of a transfer: who did what, and where it led. */
export interface HistoryEntry {
  readonly transferId: number
  readonly action: TransferAction | 'create'
  /** Null for the creation. */
  readonly fromStatus: TransferStatus | null
  readonly toStatus: TransferStatus
  /** Why less arrived than was sent. */
  readonly reason: string | null
  /** What became of goods that were under way. */
  readonly disposition: Disposition | null
  readonly actorId: number
  readonly createdAt: Date
}

interface TransferHistoryTable extends HistoryEntry {
  id: Generated<number>
}
declare module '#platform/db/database.ts' {
  interface Tables {
    transferHistory: TransferHistoryTable
  }
}

export const recordChange = async (tx: Tx, entry: HistoryEntry): Promise<void> => {
  await tx.insertInto('transferHistory').values(entry).execute()
}

/** One page of a transfer's changes, oldest first. Its own table, because events are dropped after their retention. */
export const listHistory = async (db: Db, transferId: number, page: Page): Promise<Rows<HistoryEntry>> => {
  const matching = db.selectFrom('transferHistory').where('transferId', '=', transferId)
  const { count } = await matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await matching
    .select(['transferId', 'action', 'fromStatus', 'toStatus', 'reason', 'disposition', 'actorId', 'createdAt'])
    .orderBy('id')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
  return { rows, count }
}
