import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import type { Outcome } from '../imports/index.ts'
import type { PriceFields } from './price.ts'

/**
 * The divisions that have these ERP codes, in whatever case, by the codes as they are given. Where several differ in case alone,
 * the very code decides, else the oldest.
 */
export const divisionsByErpCodes = async (tx: Tx, erpCodes: readonly string[]): Promise<Map<string, number>> => {
  const { rows } = await sql<{ code: string; id: number }>`
    select given.code, divisions.id from unnest(${erpCodes}::text[]) as given (code)
    join divisions on lower(erp_code) = lower(given.code)
    order by divisions.erp_code = given.code, divisions.id desc`.execute(tx)
  return new Map(rows.map(({ code, id }) => [code, id]))
}

/** A price of a table; without the column `valid_to` (undefined) it ends when it did. */
export interface PriceRecord extends Omit<PriceFields, 'validTo'> {
  readonly validTo: Date | null | undefined
}

/** How many of the prices of a table were new, and how many of the others really changed. */
type Written = Pick<Outcome, 'created' | 'updated'>

/**
 * Creates or changes many prices with one statement; each may be there once. In one order: of two imports at once the second waits
 * for the first. Either all of them say until when they hold, or none does.
 */
export const upsertPrices = async (tx: Tx, prices: readonly PriceRecord[], now: Date): Promise<Written> => {
  const keepsEnd = sql<boolean>`${prices.every(({ validTo }) => validTo === undefined)}::boolean`
  // A row that this transaction inserted has no xmax; one that it updated has.
  const { rows } = await sql<Written>`
    with written as (
      insert into prices as known
        (division_id, covers, product_id, price, currency, name, valid_from, valid_to, created_at, modified_at)
      select record.*, ${now}::timestamptz, ${now}::timestamptz
      from unnest(${prices.map(({ divisionId }) => divisionId)}::bigint[], ${prices.map(({ covers }) => covers)}::text[],
        ${prices.map(({ productId }) => productId)}::bigint[], ${prices.map(({ price }) => String(price))}::bigint[],
        ${prices.map(({ currency }) => currency)}::text[], ${prices.map(({ name }) => name)}::text[],
        ${prices.map(({ validFrom }) => validFrom.toISOString())}::timestamptz[],
        ${prices.map(({ validTo }) => validTo?.toISOString() ?? null)}::timestamptz[])
        as record (division_id, covers, product_id, price, currency, name, valid_from, valid_to)
      order by product_id, division_id, name collate "C", covers, valid_from
      on conflict on constraint prices_once do update
        set price = excluded.price, currency = excluded.currency, modified_at = excluded.modified_at,
          valid_to = case when ${keepsEnd} then known.valid_to else excluded.valid_to end
        where (known.price, known.currency) is distinct from (excluded.price, excluded.currency)
          or (not ${keepsEnd} and known.valid_to is distinct from excluded.valid_to)
      returning known.xmax = 0 as is_new)
    select count(*) filter (where is_new) as created, count(*) filter (where not is_new) as updated from written`.execute(
    tx,
  )
  return rows[0] ?? { created: 0, updated: 0 }
}
