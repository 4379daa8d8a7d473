import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Quotation } from '../quotation.ts'
import { columns, toQuotation } from '../store.ts'
import type { QuotationStatus } from '../rules/transitions.ts'

export interface Due {
  /** Only these; absent: all. */
  readonly ids: readonly number[] | undefined
  readonly now: Date
  readonly statuses: readonly QuotationStatus[]
  readonly most: number
  /** For those that somebody else holds; otherwise they are left to them. */
  readonly waits: boolean
}

/** Whether anything has to expire. */
export const isAnyDue = async (db: Db | Tx, due: Due): Promise<boolean> =>
  (await matching(db, due).select('id').limit(1).executeTakeFirst()) !== undefined

/** What has to expire, held until the transaction ends, in the order of the ids: those who wait do not wait in a circle. */
export const lockDue = async (tx: Tx, due: Due): Promise<Quotation[]> => {
  const query = matching(tx, due).select(columns).orderBy('id').limit(due.most).forUpdate()
  const rows = await (due.waits ? query : query.skipLocked()).execute()
  return rows.map(toQuotation)
}

const matching = (db: Db | Tx, { ids, now, statuses }: Due) =>
  db
    .selectFrom('quotations')
    .where('expiresAt', '<=', now)
    .where('status', 'in', statuses)
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`id = any(${ids}::bigint[])`))

/** Expires quotations that the caller holds. */
export const expireLocked = async (tx: Tx, locked: readonly Quotation[], now: Date): Promise<Quotation[]> => {
  const rows = await tx
    .updateTable('quotations')
    .set({ status: 'expired', version: sql<number>`version + 1`, modifiedAt: now })
    .where(sql<boolean>`id = any(${locked.map(({ id }) => id)}::bigint[])`)
    .returning(columns)
    .execute()
  return rows.map(toQuotation).toSorted((one, other) => one.id - other.id)
}
