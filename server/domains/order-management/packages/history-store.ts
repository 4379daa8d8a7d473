import type { Generated } from 'kysely'
import type { PackageStatus } from '#events/order-management.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { offsetOf, type Page, type Rows } from '#platform/http/pagination.ts'
import type { PackageAction } from './lifecycle.ts'

/** One change of a package: who did what, and where it led. */
export interface HistoryEntry {
  readonly packageId: number
  readonly action: PackageAction | 'create'
  /** Null for the creation. */
  readonly fromStatus: PackageStatus | null
  readonly toStatus: PackageStatus
  readonly locationId: number | null
  readonly actorId: number
  readonly createdAt: Date
}

interface PackageHistoryTable extends HistoryEntry {
  id: Generated<number>
}
declare module '#platform/db/database.ts' {
  interface Tables {
    packageHistory: PackageHistoryTable
  }
}

export const recordChange = async (tx: Tx, entry: HistoryEntry): Promise<void> => {
  await tx.insertInto('packageHistory').values(entry).execute()
}

/** One page of a package's changes, oldest first. Its own table, because events are dropped after their retention. */
export const listHistory = async (db: Db, packageId: number, page: Page): Promise<Rows<HistoryEntry>> => {
  const matching = db.selectFrom('packageHistory').where('packageId', '=', packageId)
  const { count } = await matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await matching
    .select(['packageId', 'action', 'fromStatus', 'toStatus', 'locationId', 'actorId', 'createdAt'])
    .orderBy('id')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
  return { rows, count }
}
