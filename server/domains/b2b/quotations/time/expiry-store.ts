import { sql, type UpdateObject } from 'kysely'
import type { Db, Tables, Tx } from '#platform/db/database.ts'
import { preparedSelect } from '#platform/db/driver/shared-selects.ts'
import { fixed } from '#platform/db/driver/snake-case.ts'
import type { Quotation } from '../quotation.ts'
import { columns, toQuotation } from '../store.ts'
import { expiringStatuses } from '../rules/permissions.ts'

export interface Due {
  /** Only these; absent: all. */
  readonly ids: readonly number[] | undefined
  readonly now: Date
  readonly limit: number
  /** For those that somebody else holds; otherwise they are left to them. */
  readonly waits: boolean
}

export const isAnyDue = async (db: Db | Tx, due: Due): Promise<boolean> => {
  const [found] = await preparedSelect(
    db,
    sql<{ isAny: boolean }>`select exists (select from quotations where ${isDue(due)}) as is_any`,
  )
  return found?.isAny === true
}

/** What has to expire, held until the transaction ends, in the order of the ids: those who wait do not wait in a circle. */
export const lockDue = async (tx: Tx, due: Due): Promise<Quotation[]> => {
  const query = tx.selectFrom('quotations').select(columns).where(isDue(due)).orderBy('id').limit(due.limit).forUpdate()
  const rows = await (due.waits ? query : query.skipLocked()).execute()
  return rows.map(toQuotation)
}

/** Not a parameter: the index of what expires is of these statuses alone. */
const mayExpire = fixed(sql<boolean>`status in (${sql.join(expiringStatuses.map(sql.lit))})`)

const isDue = ({ ids, now }: Due) =>
  sql<boolean>`(expires_at <= ${now} and ${mayExpire} ${ids === undefined ? sql`` : sql`and ${among(ids)}`})`

const among = (ids: readonly number[]) => sql<boolean>`id = any(${ids}::bigint[])`

/** Sets fields of quotations that the caller holds. @returns these, in the order of the ids. */
const change = async (
  tx: Tx,
  held: readonly { readonly id: number }[],
  fields: UpdateObject<Tables, 'quotations'>,
): Promise<Quotation[]> => {
  const ids = held.map(({ id }) => id)
  const rows = await tx.updateTable('quotations').set(fields).where(among(ids)).returning(columns).execute()
  return rows.map(toQuotation).toSorted((one, other) => one.id - other.id)
}

/** Expires quotations that the caller holds. */
export const expireLocked = (tx: Tx, locked: readonly Quotation[], now: Date): Promise<Quotation[]> =>
  change(tx, locked, { status: 'expired', version: sql<number>`version + 1`, modifiedAt: now })

/** How many expire by then; counted up to `limit`. */
export const countExpiring = async (db: Db, { now, before, limit }: Soon): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from quotations where expires_at > ${now} and expires_at <= ${before} and ${mayExpire} limit ${limit}
    ) expiring`.execute(db)
  return rows[0]?.count ?? 0
}

export type Warned = 'seller' | 'owner'
const warnedAt = { seller: 'sellerWarnedAt', owner: 'ownerWarnedAt' } as const

export interface Soon {
  readonly now: Date
  /** Those that expire by then. */
  readonly before: Date
  readonly limit: number
}

/** Notes warnings of quotations that expire soon, once per time to expire; locked ones wait. @returns the newly warned. */
export const noteWarned = async (tx: Tx, recipient: Warned, { now, before, limit }: Soon): Promise<Quotation[]> => {
  const soon = tx
    .selectFrom('quotations')
    .select('id')
    .where('status', 'in', expiringStatuses)
    .where('expiresAt', '>', now)
    .where('expiresAt', '<=', before)
    .where(warnedAt[recipient], 'is', null)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
  const held = await soon.execute()
  return held.length === 0 ? [] : change(tx, held, { [warnedAt[recipient]]: now })
}
