import { sql, type Generated, type RawBuilder } from 'kysely'
import { Type } from 'typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { equals, everything, quantity as pieces } from '#platform/lists/filters.ts'
import { keptCount } from '#platform/lists/kept-counts.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import {
  applied,
  takeableOf,
  isShort,
  movementKinds,
  type Balance,
  type Movement,
  type MovementKind,
} from './movements.ts'

interface StockBalancesTable extends Balance {
  readonly locationId: number
}
interface StockEntriesTable extends StockBalancesTable, Omit<Cause, 'at'> {
  readonly id: Generated<number>
  readonly kind: MovementKind
  readonly createdAt: Date
}
declare module '#platform/db/database.ts' {
  interface Tables {
    stockBalances: StockBalancesTable
    stockEntries: StockEntriesTable
  }
}

/** Why stock moves, and who moves it when. */
export interface Cause {
  readonly cause: string
  readonly actorId: number
  readonly at: Date
}

/** A sku of which a movement would take more than is available. */
export interface Shortage {
  readonly sku: string
  readonly wanted: number
  readonly available: number
}

export type Moved =
  | { readonly ok: true; readonly balances: readonly StockBalancesTable[] }
  | { readonly ok: false; readonly shortages: readonly Shortage[] }

/**
 * Books movements: entries in the ledger and the same sums in the balances. With a shortage nothing is
 * booked, and the caller has to give the transaction up.
 *
 * The balances are locked in the order (location, sku) before any is looked at. Every transaction takes
 * them in this order, whatever order its movements have, so no two can wait for each other.
 */
export const moveStock = async (tx: Tx, movements: readonly Movement[], why: Cause): Promise<Moved> => {
  const balances = await lockBalances(tx, movements)
  const shortages: Shortage[] = []
  for (const movement of movements) {
    const key = keyOf(movement.location.id, movement.sku)
    const before = balances.get(key)
    if (before === undefined) throw new Error(`Stock balance ${key} was not locked.`)
    if (isShort(before, movement)) {
      shortages.push({
        sku: movement.sku,
        wanted: Math.abs(movement.quantity),
        available: takeableOf(before, movement),
      })
    }
    balances.set(key, { locationId: before.locationId, ...applied(before, movement) })
  }
  if (shortages.length > 0) return { ok: false, shortages }

  await writeBalances(tx, [...balances.values()])
  await appendEntries(tx, movements, why)
  return { ok: true, balances: [...balances.values()] }
}

const keyOf = (locationId: number, sku: string): string => `${locationId} ${sku}`

const lockBalances = async (tx: Tx, movements: readonly Movement[]) => {
  const keys = JSON.stringify(movements.map(({ location, sku }) => ({ location_id: location.id, sku })))
  // First the missing rows, in the same order, so that the second statement finds and locks every one.
  await sql`
    insert into stock_balances (location_id, sku, on_hand, allocated)
    select distinct location_id, sku, 0, 0 from jsonb_to_recordset(${keys}::jsonb) as key(location_id bigint, sku text)
    order by location_id, sku
    on conflict do nothing`.execute(tx)
  const { rows } = await sql<StockBalancesTable>`
    select location_id, sku, on_hand, allocated from stock_balances
    where (location_id, sku) in (select location_id, sku from jsonb_to_recordset(${keys}::jsonb) as key(location_id bigint, sku text))
    order by location_id, sku
    for update`.execute(tx)
  return new Map(rows.map((row) => [keyOf(row.locationId, row.sku), row]))
}

const writeBalances = async (tx: Tx, balances: readonly StockBalancesTable[]): Promise<void> => {
  const input = JSON.stringify(
    balances.map(({ locationId, sku, onHand, allocated }) => ({
      location_id: locationId,
      sku,
      on_hand: onHand,
      allocated,
    })),
  )
  await sql`
    update stock_balances as balance set on_hand = new.on_hand, allocated = new.allocated
    from jsonb_to_recordset(${input}::jsonb) as new(location_id bigint, sku text, on_hand bigint, allocated bigint)
    where balance.location_id = new.location_id and balance.sku = new.sku`.execute(tx)
}

const appendEntries = async (tx: Tx, movements: readonly Movement[], { cause, actorId, at }: Cause): Promise<void> => {
  const input = JSON.stringify(
    movements.map(({ location, sku, kind, quantity }) => ({
      location_id: location.id,
      sku,
      kind,
      on_hand: movementKinds[kind].onHand * quantity,
      allocated: movementKinds[kind].allocated * quantity,
    })),
  )
  await sql`
    insert into stock_entries (location_id, sku, kind, on_hand, allocated, cause, actor_id, created_at)
    select location_id, sku, kind, on_hand, allocated, ${cause}, ${actorId}, ${at}
    from jsonb_to_recordset(${input}::jsonb) as new(location_id bigint, sku text, kind text, on_hand bigint, allocated bigint)`.execute(
    tx,
  )
}

/** Those of the skus that no location ever had anything of. */
export const unknownOf = (skus: readonly string[]): RawBuilder<string[]> => sql<string[]>`array(
  select sku from unnest(${skus}::text[]) as given (sku)
  where not exists (select from stock_balances where stock_balances.sku = given.sku))`

export const findUnknown = async (tx: Tx, skus: readonly string[]): Promise<readonly string[]> =>
  (await tx.selectNoFrom(unknownOf(skus).as('unknown')).executeTakeFirstOrThrow()).unknown

const available = sql`(on_hand - allocated)`
export const balanceList = defineList({
  key: 'sku',
  orderings: { sku: 'sku', on_hand: 'on_hand', allocated: 'allocated', available },
  defaultOrdering: 'sku',
  filters: {
    sku: equals('sku', Type.String()),
    on_hand: pieces('on_hand', 'Pieces that are there'),
    allocated: pieces('allocated', 'Pieces that are spoken for'),
    available: pieces(available, 'Pieces that are left'),
  },
})

export const listBalances = (db: Db, query: Page, locationId: number): Promise<Rows<Balance>> => {
  const isWhole = balanceList.where(query) === everything
  const known = () => (isWhole ? keptCount('stock_balances', 'location_id', [String(locationId)]) : undefined)
  const balances = db.selectFrom('stockBalances').select(['sku', 'onHand', 'allocated'])
  return readList(db, { ...balanceList, known }, query, balances.where('locationId', '=', locationId))
}
