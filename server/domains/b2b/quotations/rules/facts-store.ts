import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { preparedSelect } from '#platform/db/driver/shared-selects.ts'
import type { Quotation } from '../quotation.ts'

/** What decides whether orders can be made of a quotation. */
export interface Orderability {
  /** How many orders would become of it: for each division, as many as its units fill. */
  readonly orders: number
  /** Names of divisions that were switched off, or belong to another company by now. */
  readonly divisions: readonly string[]
  /** Remote ids of products that were switched off. */
  readonly products: readonly string[]
  /** The main division, if that was switched off. */
  readonly main: readonly string[]
}

/** How many names of each kind a reason says. */
const maxNamed = 5

/** Counts the orders of a quotation, and finds what was switched off of what it is for and made of, without reading its lines. */
export const findOrderability = async (
  db: Db | Tx,
  { id, divisionId, rootDivisionId }: Pick<Quotation, 'id' | 'divisionId' | 'rootDivisionId'>,
  batchSize: number,
): Promise<Orderability> => {
  const rows = await preparedSelect(
    db,
    sql<Orderability>`
    with wanted as (
      select (share ->> 'id')::bigint as division, sum((share ->> 'quantity')::bigint) as units
      from quotation_items, jsonb_array_elements(divisions::jsonb) as share
      where quotation_id = ${id} group by division
    )
    select coalesce(sum(div(units + ${batchSize}::int - 1, ${batchSize}::int)), 0)::float8 as orders, array(
      select name from divisions
      where (not is_active or root <> ${rootDivisionId})
        and id = any(array(select division from wanted) || ${divisionId}::bigint)
      order by name limit ${maxNamed}
    ) as divisions, array(
      select remote_id from products
      where not is_active and id = any(array(select product_id from quotation_items where quotation_id = ${id}))
      order by remote_id limit ${maxNamed}
    ) as products, array(
      select name from divisions where not is_active and id = ${rootDivisionId}
    ) as main
    from wanted`,
  )
  return rows[0] ?? { orders: 0, divisions: [], products: [], main: [] }
}

/** Whether a division is of the tree of this main division now; null is of none. */
export const isOfTree = async (db: Db | Tx, divisionId: number | null, root: number): Promise<boolean> => {
  if (divisionId === null) return false
  const query = db.selectFrom('divisions').select('id').where('id', '=', divisionId).where('root', '=', root)
  return (await query.executeTakeFirst()) !== undefined
}
