import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { preparedSelect } from '#platform/db/driver/shared-selects.ts'
import type { Quotation } from '../quotation.ts'

/** Names of what was switched off, and of divisions that belong to another company by now. */
export interface Inactive {
  readonly divisions: readonly string[]
  readonly products: readonly string[]
  /** The main division, if that was. */
  readonly main: readonly string[]
}

/** How many names of each kind a reason says. */
const maxNamed = 5

/** What was switched off of what a quotation is for and made of: nothing can be ordered of it. */
export const findInactive = async (
  db: Db | Tx,
  { id, divisionId, rootDivisionId }: Pick<Quotation, 'id' | 'divisionId' | 'rootDivisionId'>,
): Promise<Inactive> => {
  const rows = await preparedSelect(
    db,
    sql<Inactive>`
    select array(
      select name from divisions
      where (not is_active or root <> ${rootDivisionId}) and id in (
        select ${divisionId}::bigint
        union
        select (share ->> 'id')::bigint
        from quotation_items, jsonb_array_elements(divisions::jsonb) as share where quotation_id = ${id})
      order by name limit ${maxNamed}
    ) as divisions, array(
      select remote_id from products
      where not is_active and id in (select product_id from quotation_items where quotation_id = ${id})
      order by remote_id limit ${maxNamed}
    ) as products, array(
      select name from divisions where not is_active and id = ${rootDivisionId}
    ) as main`,
  )
  return rows[0] ?? { divisions: [], products: [], main: [] }
}

/** How many orders would become of a quotation: for each division, as many as its units fill. No rows are read. */
export const countOrders = async (db: Db | Tx, quotationId: number, batchSize: number): Promise<number> => {
  const rows = await preparedSelect(
    db,
    sql<{ orders: number }>`
    select coalesce(sum(div(units + ${batchSize}::int - 1, ${batchSize}::int)), 0)::float8 as orders
    from (
      select sum((share ->> 'quantity')::bigint) as units
      from quotation_items, jsonb_array_elements(divisions::jsonb) as share
      where quotation_id = ${quotationId} group by share ->> 'id'
    ) as wanted`,
  )
  return rows[0]?.orders ?? 0
}

/** Whether a division is of the tree of this main division now; null is of none. */
export const isOfTree = async (db: Db | Tx, divisionId: number | null, root: number): Promise<boolean> => {
  if (divisionId === null) return false
  const query = db.selectFrom('divisions').select('id').where('id', '=', divisionId).where('root', '=', root)
  return (await query.executeTakeFirst()) !== undefined
}
