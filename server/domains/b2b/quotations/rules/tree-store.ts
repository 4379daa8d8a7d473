import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'

/**
 * Gives the quotations of these divisions, closed ones too, the main division that those have now: who sees them and speaks for
 * them is decided by the tree as it is, and a closed one can be taken up again. It is no change of a quotation: nothing that anybody
 * reads in it, or counts, is another. Locks them in the order of their ids.
 */
export const followDivisions = async (tx: Tx, divisionIds: readonly number[]): Promise<void> => {
  if (divisionIds.length === 0) return
  await sql`
    with moved as (
      select quotations.id, divisions.root from quotations join divisions on divisions.id = quotations.division_id
      where divisions.id = any(${divisionIds}::bigint[]) and quotations.root_division_id <> divisions.root
      order by quotations.id for no key update of quotations
    )
    update quotations set root_division_id = moved.root from moved where quotations.id = moved.id`.execute(tx)
}

/** Whether a division is of the tree of this main division now; null is of none. */
export const isOfTree = async (db: Db | Tx, divisionId: number | null, root: number): Promise<boolean> => {
  if (divisionId === null) return false
  const query = db.selectFrom('divisions').select('id').where('id', '=', divisionId).where('root', '=', root)
  return (await query.executeTakeFirst()) !== undefined
}
