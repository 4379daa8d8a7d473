import { sql } from 'kysely'
import { mayCall } from '#platform/auth/principal.ts'
import { foundOfKind, type Find, type Found } from '#platform/found.ts'

export type FulfilmentKind = 'package' | 'shipment' | 'transfer' | 'stock_location'

const limit = sql.lit(foundOfKind)

/** Packages by number and order, shipments by AWB number, transfers by number, stock locations by code; all of them by id. */
export const find: Find<FulfilmentKind> = async (db, principal, { text, id }) => {
  if (!mayCall(principal, { role: 'staff', scope: 'order-management:read' })) return []
  const { rows } = await sql<Found<FulfilmentKind>>`
    (select 'package' as kind, id::text, number as title, order_number as subtitle, '/packages/' || id as path, true as is_exact
      from packages where number = upper(${text}) or order_number = ${text} or id = ${id}::bigint limit ${limit})
    union all
    (select 'shipment', id::text, coalesce(awb_number, id::text), carrier, '/shipments/' || id, true
      from shipments where awb_number = ${text} or id = ${id}::bigint limit ${limit})
    union all
    (select 'transfer', id::text, number, '', '/transfers/' || id, true
      from transfers where number = upper(${text}) or id = ${id}::bigint limit ${limit})
    union all
    (select 'stock_location', id::text, code, name, '/stock_locations/' || id, true
      from stock_locations where code in (${text}, upper(${text})) or id = ${id}::bigint limit ${limit})`.execute(db)
  return rows
}
