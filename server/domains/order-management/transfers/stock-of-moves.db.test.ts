import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeOutbox } from '#delivery/outbox/outbox.ts'
import type { Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { AppError, orNotFound } from '#platform/errors.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeActOnPackage } from '../packages/act-on-package.ts'
import { makeCreatePackage } from '../packages/pack-order.ts'
import { shippedPackages } from '../packages/index.ts'
import { packageLifecycle } from '../packages/lifecycle.ts'
import { packageStore } from '../packages/store.ts'
import { makeShipmentChanges } from '../shipments/change-shipment.ts'
import { insertLocation } from '../stock-locations/store.ts'
import { adjustStock } from '../stock/adjust-stock.ts'
import { movementKinds } from '../stock/movements.ts'
import { makeActOnTransfer } from './act-on-transfer.ts'
import { makeCreateTransfer } from './create-transfer.ts'
import { transferLifecycle } from './lifecycle.ts'
import { transferStore } from './store.ts'

const { db } = await openTestDatabase()
const clock = makeFakeClock()
const needs = { clock, outbox: makeOutbox({ clock, wake: () => undefined }) }
const createPackage = makeCreatePackage(needs)
const actOnPackage = makeActOnPackage(needs)
const createTransfer = makeCreateTransfer(needs)
const actOnTransfer = makeActOnTransfer(needs)
const shipments = makeShipmentChanges({ ...needs, packages: shippedPackages, transfers: transferStore })

const skus = ['A', 'B'] as const
/** Moves go to the newest rows, so that some get far. */
const newest = 4
const which = fc.nat({ max: newest - 1 })
const quantity = fc.integer({ min: 1, max: 4 })
const sku = fc.constantFrom(...skus)
const place = fc.constantFrom(0, 1, 2)
/** Mostly onward, now and then given up, now and then an action that the status may not have. */
const turn = fc.constantFrom(
  'first',
  'last',
  'first',
  'last',
  'first',
  'last',
  'first',
  'last',
  'cancel',
  'second of all',
)
const command = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('transfer' as const),
      from: place,
      to: place,
      sku,
      quantity,
      serves: fc.option(which, { freq: 1 }),
    }),
  },
  fc.record({ do: fc.constant('package' as const), at: place, sku, quantity }),
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('moveTransfer' as const),
      which,
      turn,
      disposition: fc.constantFrom('return' as const, 'write_off' as const),
      received: fc.option(fc.nat({ max: 4 })),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('movePackage' as const),
      which,
      turn,
      at: place,
      disposition: fc.constantFrom('restock' as const, 'write_off' as const),
    }),
  },
)
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never

const choose = <T extends string>(all: readonly T[], allowed: readonly T[], how: Turn): T | 'cancel' => {
  const onward = allowed.filter((action) => action !== 'cancel')
  const choices: Record<Turn, T | undefined> = {
    first: onward[0],
    last: onward.at(-1),
    cancel: undefined,
    'second of all': all[1],
  }
  return choices[how] ?? 'cancel'
}

/** The id of one of the newest rows, the same for the same choice. */
const pick = async (tx: Tx, table: 'packages' | 'transfers', choice: number): Promise<number> => {
  const rows = await tx
    .selectFrom(table as 'packages')
    .select('id')
    .orderBy('id', 'desc')
    .limit(newest)
    .execute()
  return orNotFound(rows[choice % Math.max(1, rows.length)]).id
}

type Do<K extends Command['do']> = Extract<Command, { do: K }>
const doers: { [K in Command['do']]: (tx: Tx, what: Do<K>, places: readonly number[]) => Promise<unknown> } = {
  transfer: async (tx, what, places) =>
    createTransfer(
      tx,
      {
        fromLocationId: places[what.from] ?? 0,
        toLocationId: places[what.to] ?? 0,
        packageId: what.serves === null ? null : await pick(tx, 'packages', what.serves),
        items: [{ sku: what.sku, quantity: what.quantity }],
        shipment: {},
      },
      1,
    ),
  package: async (tx, what, places) => {
    const items = [{ sku: what.sku, quantity: what.quantity }]
    const { id } = await createPackage(tx, { orderNumber: 'O', locationId: places[what.at] ?? 0, items }, 1)
    await shipments.create(tx, id, { carrier: 'DHL', awbNumber: null, trackingUrl: null })
  },
  moveTransfer: async (tx, what) => {
    const transferId = await pick(tx, 'transfers', what.which)
    const item = await tx
      .selectFrom('transferItems')
      .select('sku')
      .where('transferId', '=', transferId)
      .executeTakeFirst()
    const items = what.received === null ? undefined : [{ sku: item?.sku ?? '', received: what.received }]
    const { status } = await transferStore.read(tx, transferId)
    const action = choose(transferLifecycle.actions, transferLifecycle.allowedActions({ status }), what.turn)
    const body = {
      ...(status === 'in_transit' && action === 'cancel' && { disposition: what.disposition }),
      ...(status === 'in_transit' && items && { items }),
      reason: 'lost',
    }
    return actOnTransfer(tx, { id: transferId, action, body, actorId: 1 })
  },
  movePackage: async (tx, what, places) => {
    const id = await pick(tx, 'packages', what.which)
    const parcel = await packageStore.read(tx, id)
    const action = choose(packageLifecycle.actions, packageLifecycle.allowedActions(parcel), what.turn)
    const body = {
      stock_location: places[what.at] ?? 0,
      ...(parcel.status === 'packed_for_refund' && { disposition: what.disposition }),
    }
    return actOnPackage(tx, { id, action, body, actorId: 1 })
  },
}

/** What the rules refuse is part of the play. Anything else that is thrown is a bug. */
const run = async (what: Command, places: readonly number[]): Promise<void> => {
  try {
    await inTransaction(db, (tx) =>
      (doers[what.do] as (tx: Tx, what: Command, at: typeof places) => Promise<unknown>)(tx, what, places),
    )
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}

let made = 0
/** Two strict locations and one that allows back-orders, with some stock. */
const makePlaces = () =>
  inTransaction(db, async (tx) => {
    const places: number[] = []
    for (const allowBackorder of [false, false, true]) {
      made += 1
      const fields = {
        code: `M-${made}`,
        name: 'x',
        kind: 'warehouse',
        address: '',
        isActive: true,
        allowBackorder,
      } as const
      const id = (await insertLocation(tx, fields, clock.now()))?.id ?? 0
      for (const name of skus)
        await adjustStock(tx, clock, { locationId: id, sku: name, quantity: 6, reason: 'x', actorId: 1 })
      places.push(id)
    }
    return places
  })

type Pieces = Record<string, number>
const add = (sums: Pieces, key: string, pieces: number): Pieces => ({ ...sums, [key]: (sums[key] ?? 0) + pieces })
const withoutZeros = (sums: Pieces): Pieces =>
  Object.fromEntries(Object.entries(sums).filter(([, pieces]) => pieces !== 0))

/** What open packages and transfers have been promised at each place, read from them and not from the stock. */
const promised = async (places: readonly number[]): Promise<Pieces> => {
  const transfers = await db
    .selectFrom('transfers')
    .innerJoin('transferItems', 'transferId', 'transfers.id')
    .select(['fromLocationId as locationId', 'sku', 'quantity'])
    .where('status', 'in', ['transitioned', 'ready_to_shipment'])
    .where('fromLocationId', 'in', places)
    .execute()
  const packages = await db
    .selectFrom('packages')
    .innerJoin('packageItems', 'packageId', 'packages.id')
    .select(['locationId', 'sku', 'quantity'])
    .where('status', 'in', ['transitioned', 'packed', 'packed_for_refund'])
    .where('isSold', '=', false)
    .where('locationId', 'in', places)
    .execute()
  return [...transfers, ...packages].reduce<Pieces>(
    (sums, row) => add(sums, `${row.locationId ?? 0} ${row.sku}`, row.quantity),
    {},
  )
}

const onTheWay = async (places: readonly number[]): Promise<number> => {
  const rows = await db
    .selectFrom('transfers')
    .innerJoin('transferItems', 'transferId', 'transfers.id')
    .select('quantity')
    .where('status', '=', 'in_transit')
    .where('fromLocationId', 'in', places)
    .execute()
  return rows.reduce((sum, row) => sum + row.quantity, 0)
}

const checkStock = async (places: readonly number[]) => {
  const balances = await db.selectFrom('stockBalances').selectAll().where('locationId', 'in', places).execute()
  const entries = await db.selectFrom('stockEntries').selectAll().where('locationId', 'in', places).execute()
  const sumBy = (field: 'onHand' | 'allocated') =>
    withoutZeros(
      entries.reduce<Pieces>((sums, entry) => add(sums, `${entry.locationId} ${entry.sku}`, entry[field]), {}),
    )
  const shown = (field: 'onHand' | 'allocated') =>
    withoutZeros(Object.fromEntries(balances.map((row) => [`${row.locationId} ${row.sku}`, row[field]])))

  expect(shown('onHand')).toEqual(sumBy('onHand'))
  expect(shown('allocated')).toEqual(sumBy('allocated'))
  expect(shown('allocated')).toEqual(await promised(places))
  expect(balances.filter(({ allocated }) => allocated < 0)).toEqual([])
  const strict = balances.filter(({ locationId }) => locationId !== places[2])
  expect(strict.filter(({ onHand, allocated }) => onHand < allocated)).toEqual([])

  // Every transfer that arrived is booked piece by piece.
  const received = await db
    .selectFrom('transfers')
    .innerJoin('transferItems', 'transferId', 'transfers.id')
    .select(['toLocationId', 'received'])
    .where('toLocationId', 'in', places)
    .execute()
  const arrived = entries.filter(
    ({ cause, kind }) => kind === 'transfer_in' || (kind === 'write_off' && cause.includes(': ')),
  )
  expect(arrived.reduce((sum, entry) => sum + entry.onHand, 0)).toBe(
    received.reduce((sum, row) => sum + row.received, 0),
  )

  // What transfers took from one place they brought to another, brought back, wrote off, or have on the way.
  const byTransfers = entries.filter(({ cause, kind }) => cause.startsWith('T-') && kind !== 'write_off')
  expect(byTransfers.reduce((sum, entry) => sum + entry.onHand, 0)).toBe(0 - (await onTheWay(places)))
}

test('whatever packages and transfers do, also at once, the stock adds up and nothing is promised twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 40, maxLength: 70 }), async (commands) => {
      const places = await makePlaces()
      const atOnce = 3
      for (let at = 0; at < commands.length; at += atOnce) {
        await Promise.all(commands.slice(at, at + atOnce).map((what) => run(what, places)))
      }
      await checkStock(places)
    }),
    { numRuns: 15 },
  )
  // The play got everywhere: every kind of booking was made.
  const kinds = await db.selectFrom('stockEntries').select('kind').distinct().execute()
  expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(Object.keys(movementKinds).toSorted())
})
