import { sql } from 'kysely'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { makePeople } from '../make-people.ts'
import type { TestApp } from '../make-test-app.ts'

let made = 0

export interface Buyer {
  readonly id: number
  /** A request as this buyer. */
  readonly call: (
    method: InjectOptions['method'],
    url: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<LightMyRequestResponse>
}

/** Makes divisions, products, and people who order. */
export const makeBuyers = ({ app, call, database: { db } }: Pick<TestApp, 'app' | 'call' | 'database'>) => {
  const people = makePeople({ app, call })
  return {
    /** A main division, or a branch of `parent`. @returns its id. */
    async division({ parent = null, isActive = true }: { parent?: number | null; isActive?: boolean } = {}) {
      made += 1
      const { rows } = await sql<{ id: number }>`
        with one as (select nextval(pg_get_serial_sequence('divisions', 'id')) as id)
        insert into divisions (id, name, erp_code, parent, root, is_active, created_at, modified_at) overriding system value
        select one.id, ${`Division ${made}`}, ${`ERP-${made}`}, ${parent}::bigint,
          coalesce((select root from divisions where id = ${parent}::bigint), one.id), ${isActive}, now(), now()
        from one returning id`.execute(db)
      return rows[0]?.id ?? 0
    },
    /** A product; `price` is in minor units. @returns its remote id. */
    async product({ price = 1_250, currency = 'EUR', isActive = true, remoteId = '' } = {}) {
      made += 1
      const id = remoteId === '' ? String(1_000 + made) : remoteId
      await sql`
        insert into products (remote_id, sku, name, price, currency, is_active, created_at, modified_at)
        values (${id}, ${id}, ${`Product ${made}`}, ${price}, ${currency}, ${isActive}, now(), now())`.execute(db)
      return id
    },
    /** Somebody who orders for a division, or for none. */
    async buyer(division: number | null): Promise<Buyer> {
      const person = await people.person()
      await sql`update users set division = ${division}::bigint where id = ${person.id}`.execute(db)
      const credential = await people.authorization(person)
      return {
        id: person.id,
        call: (method, url, body, headers = {}) => call(method, url, body, { ...credential, ...headers }),
      }
    },
  }
}
