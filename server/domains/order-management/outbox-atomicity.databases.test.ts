import { expect, test } from 'vitest'
import type { Outbox } from '#delivery/outbox/outbox.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeOutbox } from '#delivery/outbox/outbox.ts'
import { makeActOnPackage } from './packages/act-on-package.ts'
import { makeCreatePackage } from './packages/pack-order.ts'
import { shippedPackages } from './packages/index.ts'
import { makeShipmentChanges } from './shipments/change-shipment.ts'
import { makeLocationChanges } from './stock-locations/change-location.ts'
import { adjustStock } from './stock/adjust-stock.ts'
import { makeActOnTransfer } from './transfers/act-on-transfer.ts'
import { makeCreateTransfer } from './transfers/create-transfer.ts'
import { transferStore } from './transfers/index.ts'

const { db } = await openTestDatabase()
const clock = makeFakeClock()
const working = makeOutbox({ clock, wake: () => undefined })
/** Writes the events and then fails, as a lost connection would. */
const failing: Outbox = {
  ...working,
  async append(tx, events) {
    await working.append(tx, events)
    throw new Error('append failed')
  },
}
const location = { name: 'x', kind: 'warehouse', address: '', isActive: true, allowBackorder: false } as const
const count = async () => {
  const tables = [
    'events',
    'stockLocations',
    'packages',
    'packageHistory',
    'shipments',
    'transfers',
    'transferItems',
    'transferHistory',
    'stockEntries',
    'objectSequences',
  ] as const
  const counts = tables.map(async (table) => {
    const { rows } = await db.executeQuery<{ count: number }>(
      db
        .selectFrom(table as 'events')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .compile(),
    )
    return rows[0]?.count
  })
  return Promise.all(counts)
}

test('when the event cannot be stored, nothing of the change stays', async () => {
  const place = await inTransaction(db, (tx) =>
    makeLocationChanges({ clock, outbox: working }).create(tx, { ...location, code: 'A' }),
  )
  await inTransaction(db, (tx) =>
    adjustStock(tx, clock, { locationId: place.id, sku: 'CHAIR', quantity: 5, reason: 'x', actorId: 1 }),
  )
  const fields = { orderNumber: 'O-1', locationId: place.id, items: [{ sku: 'CHAIR', quantity: 2 }] }
  const parcel = await inTransaction(db, (tx) => makeCreatePackage({ clock, outbox: working })(tx, fields, 1))
  const other = await inTransaction(db, (tx) =>
    makeLocationChanges({ clock, outbox: working }).create(tx, { ...location, code: 'C' }),
  )
  const plan = {
    fromLocationId: place.id,
    toLocationId: other.id,
    packageId: parcel.id,
    items: [{ sku: 'CHAIR', quantity: 1 }],
    shipment: {},
  }
  const transfer = await inTransaction(db, (tx) => makeCreateTransfer({ clock, outbox: working })(tx, plan, 1))
  const before = await count()

  const broken = { clock, outbox: failing }
  const shipments = makeShipmentChanges({ ...broken, packages: shippedPackages, transfers: transferStore })
  const transition = { id: parcel.id, action: 'transition', body: {}, actorId: 1 } as const
  const handOver = { id: transfer.id, action: 'transition', body: {}, actorId: 1 } as const
  const changes = [
    inTransaction(db, (tx) => makeLocationChanges(broken).create(tx, { ...location, code: 'B' })),
    inTransaction(db, (tx) => makeLocationChanges(broken).update(tx, place.id, { name: 'y' })),
    inTransaction(db, (tx) => makeCreatePackage(broken)(tx, fields, 1)),
    inTransaction(db, (tx) => makeActOnPackage(broken)(tx, transition)),
    inTransaction(db, (tx) => shipments.create(tx, parcel.id, { carrier: 'DHL', awbNumber: null, trackingUrl: null })),
    inTransaction(db, (tx) => makeCreateTransfer(broken)(tx, plan, 1)),
    inTransaction(db, (tx) => makeActOnTransfer(broken)(tx, handOver)),
  ]
  const outcomes = await Promise.allSettled(changes)
  expect(outcomes.map(({ status }) => status)).toEqual(changes.map(() => 'rejected'))
  expect(await count()).toEqual(before)
  const row = await db.selectFrom('packages').select('status').where('id', '=', parcel.id).executeTakeFirst()
  expect(row?.status).toBe('created')
  const moved = await db.selectFrom('transfers').select('status').where('id', '=', transfer.id).executeTakeFirst()
  expect(moved?.status).toBe('created')
  const balance = await db.selectFrom('stockBalances').select('allocated').where('sku', '=', 'CHAIR').executeTakeFirst()
  expect(balance?.allocated).toBe(0)
})
