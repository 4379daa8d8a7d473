import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'

/** Pieces of a product for a division; 0 are none. */
export interface Pieces {
  readonly productId: number
  readonly divisionId: number
  readonly quantity: number
}

/** Sets many quantities with two statements, each pair once. What is there keeps its place, what is new comes in their order. */
export const setManyPieces = async (tx: Tx, basketId: number, pieces: readonly Pieces[]): Promise<void> => {
  const line = sql`rows from (unnest(
    ${pieces.map(({ productId }) => productId)}::bigint[], ${pieces.map(({ divisionId }) => divisionId)}::bigint[],
    ${pieces.map(({ quantity }) => quantity)}::int[])) with ordinality as line (product_id, division_id, quantity, position)`
  await sql`
    delete from basket_items item using ${line}
    where item.basket_id = ${basketId} and item.product_id = line.product_id and item.division_id = line.division_id
      and line.quantity = 0`.execute(tx)
  await sql`
    insert into basket_items as item (basket_id, product_id, division_id, quantity)
    select ${basketId}::bigint, product_id, division_id, quantity from ${line} where quantity > 0 order by position
    on conflict (basket_id, product_id, division_id) do update set quantity = excluded.quantity
      where item.quantity <> excluded.quantity`.execute(tx)
}
