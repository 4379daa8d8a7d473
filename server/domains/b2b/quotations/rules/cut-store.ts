import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'

/** How many orders become of a quotation: for each division, as many as its units fill. None are made, and no rows are read. */
export const countOrders = async (db: Db | Tx, quotationId: number, batchSize: number): Promise<number> => {
  const { rows } = await sql<{ orders: number }>`
    select coalesce(sum(div(units + ${batchSize}::int - 1, ${batchSize}::int)), 0)::float8 as orders
    from (
      select sum((share ->> 'quantity')::bigint) as units
      from quotation_items, jsonb_array_elements(divisions::jsonb) as share
      where quotation_id = ${quotationId} group by share ->> 'id'
    ) as wanted`.execute(db)
  return rows[0]?.orders ?? 0
}
