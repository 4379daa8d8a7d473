import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import type { Outcome } from '../imports/index.ts'
import type { ProductFields } from './product.ts'

/** A product of a table; without the column `is_active` it stays as active as it is. */
export type ProductRecord = Omit<ProductFields, 'isActive'> & { readonly isActive: boolean | undefined }

/** How many of the products of a table were new, and how many of the others really changed. */
type Written = Pick<Outcome, 'created' | 'updated'>

/**
 * Creates or changes many products with one statement; each remote id may be there once. In the order of remote ids: of two
 * imports at once the second waits for the first. Either all of them say whether they are active or none does.
 */
export const upsertProducts = async (tx: Tx, products: readonly ProductRecord[], now: Date): Promise<Written> => {
  const keepsActive = sql<boolean>`${products.every(({ isActive }) => isActive === undefined)}::boolean`
  // A row that this transaction inserted has no xmax; one that it updated has.
  const { rows } = await sql<Written>`
    with written as (
      insert into products as known (remote_id, name, price, currency, is_active, created_at, modified_at)
      select remote_id, name, price, currency, coalesce(is_active, true), ${now}::timestamptz, ${now}::timestamptz
      from unnest(${products.map(({ remoteId }) => remoteId)}::text[], ${products.map(({ name }) => name)}::text[],
        ${products.map(({ price }) => String(price))}::bigint[], ${products.map(({ currency }) => currency)}::text[],
        ${products.map(({ isActive }) => isActive ?? null)}::boolean[]) as record (remote_id, name, price, currency, is_active)
      order by remote_id collate "C"
      on conflict (remote_id) do update
        set name = excluded.name, price = excluded.price, currency = excluded.currency,
          is_active = case when ${keepsActive} then known.is_active else excluded.is_active end,
          modified_at = excluded.modified_at
        where (known.name, known.price, known.currency) is distinct from (excluded.name, excluded.price, excluded.currency)
          or (not ${keepsActive} and known.is_active <> excluded.is_active)
      returning known.xmax = 0 as is_new)
    select count(*) filter (where is_new) as created, count(*) filter (where not is_new) as updated from written`.execute(
    tx,
  )
  return rows[0] ?? { created: 0, updated: 0 }
}
