import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Inactive, Quotation } from '../quotation.ts'

/** Most that are named of each kind. */
const mostNamed = 5

/**
 * What was switched off of what a quotation is of, for and made of, by name: nothing can be ordered of it. A division that is of another
 * tree by now is as good as switched off.
 */
export const inactiveOf = async (db: Db | Tx, { id, divisionId, rootDivisionId }: Quotation): Promise<Inactive> => {
  const { rows } = await sql<Inactive>`
    select array(
      select name from divisions
      where (not is_active or root <> ${rootDivisionId}) and id in (
        select ${divisionId}::bigint
        union
        select (share ->> 'id')::bigint
        from quotation_items, jsonb_array_elements(divisions::jsonb) as share where quotation_id = ${id})
      order by name limit ${mostNamed}
    ) as divisions, array(
      select remote_id from products
      where not is_active and id in (select product_id from quotation_items where quotation_id = ${id})
      order by remote_id limit ${mostNamed}
    ) as products, array(
      select name from divisions where not is_active and id = ${rootDivisionId}
    ) as main`.execute(db)
  return rows[0] ?? { divisions: [], products: [] }
}
