import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Quotation } from '../quotation.ts'

/** Keeps what was agreed on for each product of a quotation that is approved now. */
export const keepPaidPrices = async (tx: Tx, { id, rootDivisionId, modifiedAt }: Quotation): Promise<void> => {
  await sql`
    insert into paid_prices (quotation_id, root_division_id, product_id, price, approved_at)
    select ${id}, ${rootDivisionId}, product_id, coalesce(price_override, division_price, list_price), ${modifiedAt}::timestamptz
    from quotation_items where quotation_id = ${id}`.execute(tx)
}

export interface PaidPrice {
  readonly productRemoteId: string
  /** In minor units. */
  readonly price: number
  readonly currency: string
  readonly quotationId: number
  readonly number: string
  readonly approvedAt: Date
}

/**
 * What the company of a quotation paid last, before its approval, for each product in it: one look-up in the primary key for each.
 * Of products that it has not bought there is none.
 */
export const lastPrices = async (
  db: Db,
  { id, rootDivisionId, status, modifiedAt }: Quotation,
): Promise<PaidPrice[]> => {
  const before = status === 'approved' ? sql`${modifiedAt}::timestamptz` : sql`'infinity'::timestamptz`
  const { rows } = await sql<PaidPrice>`
    select item.product_remote_id, paid.price, bought.currency, bought.id as quotation_id, bought.number, paid.approved_at
    from quotation_items item
    cross join lateral (
      select quotation_id, price, approved_at from paid_prices
      where root_division_id = ${rootDivisionId} and product_id = item.product_id
        and (approved_at, quotation_id) < (${before}, ${id}::bigint)
      order by approved_at desc, quotation_id desc limit 1
    ) as paid
    join quotations bought on bought.id = paid.quotation_id
    where item.quotation_id = ${id} order by item.id`.execute(db)
  return rows
}
