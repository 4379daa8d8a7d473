import { digitsOf, formatMoney } from '#platform/money.ts'
import { sql } from 'kysely'
import type { OrderedLine } from '#domains/b2b/money/index.ts'
import type { Db } from '#platform/db/database.ts'

export interface ApprovedFields {
  readonly lines?: readonly OrderedLine[]
  readonly status?: string
  readonly currency?: string
  readonly batchSize?: number | null
  readonly expiresAt?: Date | null
}

let made = 0

/**
 * Makes quotations in any status without their history, for tests of what becomes of them. Amounts are in minor units; prices are
 * whatever fits.
 */
export const makeApprovedQuotations = (db: Db) => {
  const division = async (name = `Division ${(made += 1)}`): Promise<number> => {
    const { rows } = await sql<{ id: number }>`
      with one as (select nextval(pg_get_serial_sequence('divisions', 'id')) as id)
      insert into divisions (id, name, erp_code, root, created_at, modified_at) overriding system value
      select one.id, ${name}, ${`CODE-${(made += 1)}`}, one.id, now(), now() from one returning id`.execute(db)
    return rows[0]?.id ?? 0
  }

  return {
    /** A main division. @returns its id. */
    division,

    /** An approved quotation of one line of ten pieces, unless said otherwise. */
    async quotation({
      lines,
      status = 'approved',
      currency = 'EUR',
      batchSize = null,
      expiresAt = null,
    }: ApprovedFields = {}): Promise<{
      readonly id: number
      readonly number: string
    }> {
      const number = `Q-2026-${(made += 1)}`
      const home = await division()
      const wanted = lines ?? [{ productRemoteId: 'CHAIR', net: 12_345n, divisions: [{ id: home, quantity: 10 }] }]
      const netAmount = wanted.reduce((sum, line) => sum + line.net, 0n)
      const { rows } = await sql<{ id: number }>`
        with owner as (
          insert into users (email, password_hash, created_at, modified_at)
          values (${`owner-${made}@example.com`}, '', now(), now()) returning id
        )
        insert into quotations (number, name, user_id, division_id, root_division_id, status, currency, batch_size,
          expires_at, total_amount, total_units, net_amount, created_at, modified_at)
        select ${number}, 'Spring', owner.id, ${home}, ${home}, ${status}, ${currency}, ${batchSize}::integer,
          ${expiresAt}::timestamptz, 0, ${formatMoney(0n, digitsOf(currency) ?? 2)}, ${String(netAmount)}::bigint, now(), now()
        from owner returning id`.execute(db)
      const id = rows[0]?.id ?? 0
      await sql`
        with line as (
          select * from unnest(
            ${wanted.map(({ productRemoteId }) => productRemoteId)}::text[],
            ${wanted.map(({ net }) => String(net))}::bigint[],
            ${wanted.map(({ divisions }) => JSON.stringify(divisions))}::text[]
          ) with ordinality as entry (remote_id, net, divisions, position)
        ), made as (
          insert into products (remote_id, sku, name, price, currency, created_at, modified_at)
          select remote_id || '-' || ${id}, remote_id || '-' || ${id}, remote_id, 0, ${currency}, now(), now() from line returning id, name
        )
        insert into quotation_items (quotation_id, product_id, product_remote_id, product_name, list_price, quantity,
          total_amount, net_amount, divisions)
        select ${id}, made.id, line.remote_id, line.remote_id, 0, 1, net, net, line.divisions
        from line join made on made.name = line.remote_id order by position`.execute(db)
      return { id, number }
    },
  }
}
