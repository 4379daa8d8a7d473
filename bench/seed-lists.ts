import { sql } from 'kysely'
import type { Database } from '#platform/db/database.ts'

/** From 0 to 1, the same for the same number; does not go with another `salt`. */
const chance = (salt: number): string => `(abs(hashint8extended(number, ${salt})) % 10000) / 10000.0`
/** One of some texts, each as often as it is said. */
const pick = (salt: number, shares: Readonly<Record<string, number>>): string => {
  const arrays = Object.entries(shares).map(([text, share]) => `array_fill('${text}'::text, array[${share}])`)
  return `(${arrays.join(' || ')})[1 + floor(100 * ${chance(salt)})::int]`
}
const madeAt = "now() - interval '1 year' * (1 - number::float8 / $1)"
const changedAt = `${madeAt} + interval '7 days' * ${chance(9)} * (1 - number::float8 / $1)`
const padded = "lpad(number::text, greatest(6, length(number::text)), '0')"
const locations = 1_000
const skus = 10_000
/** Some locations have far more than others. */
const location = (salt: number): string => `(1 + floor(${locations} * (${chance(salt)}) ^ 2)::int)`

const statements = [
  `insert into stock_locations (code, name, kind, address, is_active, allow_backorder, created_at, modified_at)
   select 'L' || number, 'Location ' || number, 'warehouse', '', true, false, now(), now()
   from generate_series(1, ${locations}) as number where $1 > 0`,
  // All of them at one location.
  `insert into stock_balances (location_id, sku, on_hand, allocated)
   select 1, 'SKU-' || number, floor(1000 * ${chance(1)}), 0 from generate_series(1, $1::integer) as number`,
  `insert into packages (number, order_number, location_id, status, is_sold, created_at, modified_at)
   select 'P-2026-' || ${padded}, 'O-' || number / 2, ${location(2)},
     ${pick(3, { shipped: 70, cancelled: 8, packed: 8, transitioned: 6, created: 6, packed_for_refund: 2 })},
     false, ${madeAt}, ${changedAt} from generate_series(1, $1::integer) as number`,
  `insert into package_items (package_id, sku, position, quantity)
   select number, 'SKU-' || 1 + (floor(${skus} * (${chance(4)}) ^ 2)::int + ${skus / 2} * line) % ${skus}, line, 1 + line
   from generate_series(1, $1::integer) as number, generate_series(0, 1) as line`,
  `insert into shipments (package_id, carrier, awb_number, tracking_url, status, created_at, modified_at)
   select number, ${pick(5, { DHL: 50, UPS: 30, GLS: 15, FedEx: 4, own: 1 })}, 'AWB' || number, 'https://example.com/' || number,
     ${pick(6, { delivered: 70, in_transit: 10, created: 8, cancelled: 5, ready: 4, failed: 2, returned: 1 })},
     ${madeAt}, ${changedAt} from generate_series(1, $1::integer) as number`,
  `insert into transfers (number, from_location_id, to_location_id, package_id, status, created_at, modified_at)
   select 'T-2026-' || ${padded}, ${location(7)}, ${locations} - ${location(8)} % ${locations / 2},
     case when number % 20 = 0 then number end,
     ${pick(3, { transferred: 75, cancelled: 5, in_transit: 8, ready_to_shipment: 4, transitioned: 4, created: 4 })},
     ${madeAt}, ${changedAt} from generate_series(1, $1::integer) as number where ${location(7)} <> ${locations} - ${location(8)} % ${locations / 2}`,
  `insert into transfer_items (transfer_id, sku, position, quantity)
   select id, 'SKU-' || 1 + (id * 7919) % ${skus}, 0, 5 from transfers where $1 > 0`,
  `insert into users (email, first_name, last_name, is_staff, is_active, password_hash, created_at, modified_at)
   select 'person' || number || '@' || ${pick(1, { 'bench.test': 90, 'example.com': 10 })}, 'Ada',
     'Name ' || floor(1000 * ${chance(2)}), number % 1000 = 0, number % 20 > 0, '', ${madeAt}, ${changedAt}
   from generate_series(1, $1::integer) as number`,
]
const tables = 'stock_balances, packages, package_items, shipments, transfers, transfer_items, users, list_counts'

/** What the lists of order management and of users show, made by the database itself, and what it does later of its own accord. */
export const seedLists = async (database: Database, count: number): Promise<void> => {
  await database.scriptTransaction(async (run) => {
    for (const statement of statements) await run(statement, [count])
  })
  await sql`vacuum (analyze) ${sql.raw(tables)}`.execute(database.db)
  await sql`checkpoint`.execute(database.db)
}
