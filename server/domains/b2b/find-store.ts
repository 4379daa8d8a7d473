import { sql } from 'kysely'
import { mayCall } from '#platform/auth/principal.ts'
import type { Db } from '#platform/db/database.ts'
import { foundOfKind, type Asked, type Find, type Found } from '#platform/found.ts'
import { textIn } from '#platform/lists/filters.ts'

export type SellingKind = 'quotation' | 'order' | 'product' | 'division'

/** Quotations, orders, products and divisions for the back office; for buyers their own quotations. */
export const find: Find<SellingKind> = async (db, principal, asked) => {
  const scope = 'quotations:read'
  if (mayCall(principal, { role: 'staff', scope })) {
    const [exact, named] = await Promise.all([findExact(db, asked), findNamed(db, asked)])
    return [...exact, ...named]
  }
  return mayCall(principal, { role: 'user', scope }) ? findOwn(db, asked, principal.userId) : []
}

type Rows = readonly Found<SellingKind>[]
const limit = sql.lit(foundOfKind)

const findExact = async (db: Db, { text, id }: Asked): Promise<Rows> => {
  const { rows } = await sql<Found<SellingKind>>`
    (select 'quotation' as kind, id::text, number as title, name as subtitle, '/quotations/' || id as path, true as is_exact
      from quotations where number = upper(${text}) or id = ${id}::bigint limit ${limit})
    union all
    (select 'order', id::text, number, division_name, '/orders/' || id, true
      from quotation_orders where number = upper(${text}) or remote_number = ${text} or id = ${id}::bigint limit ${limit})
    union all
    (select 'product', id::text, name, sku, '/products/' || id, true
      from products where remote_id = ${text} or sku = ${text} or id = ${id}::bigint limit ${limit})
    union all
    (select 'division', id::text, name, coalesce(erp_code, ''), '/divisions/' || id, true
      from divisions where lower(erp_code) = lower(${text}) or id = ${id}::bigint limit ${limit})`.execute(db)
  return rows
}

const isPart = (column: string, part: string) => textIn(sql.raw(column), part, (text) => sql`folded(${text}::text)`)

/** Divisions are looked through, the newest 10,000; the others have indexes of trigrams. */
const findNamed = async (db: Db, { part }: Asked): Promise<Rows> => {
  if (part === null) return []
  const { rows } = await sql<Found<SellingKind>>`
    (select 'quotation' as kind, id::text, number as title, name as subtitle, '/quotations/' || id as path, false as is_exact
      from quotations where ${textIn('folded_name', part, (text) => sql`lower(${text}::text)`)} limit ${limit})
    union all
    (select 'product', id::text, name, sku, '/products/' || id, false
      from products where ${isPart(`folded(name || ' ' || sku || ' ' || category)`, part)} limit ${limit})
    union all
    (select 'division', id::text, name, coalesce(erp_code, ''), '/divisions/' || id, false
      from (select id, name, erp_code from divisions order by id desc limit 10000) newest
      where ${isPart('folded(name)', part)} limit ${limit})`.execute(db)
  return rows
}

const findOwn = async (db: Db, { text, id, part }: Asked, userId: number): Promise<Rows> => {
  const named = part === null ? sql`false` : textIn('folded_name', part, (wanted) => sql`lower(${wanted}::text)`)
  const { rows } = await sql<Found<SellingKind>>`
    select 'quotation' as kind, id::text, number as title, name as subtitle, '/shop/quotations/' || id as path,
      number = upper(${text}) or id = ${id}::bigint is true as is_exact
    from (select id, number, name, folded_name from quotations where user_id = ${userId} order by id desc limit 10000) own
    where number = upper(${text}) or id = ${id}::bigint or ${named} limit ${limit}`.execute(db)
  return rows
}
