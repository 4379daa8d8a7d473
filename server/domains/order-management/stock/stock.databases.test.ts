import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { insertLocation } from '../stock-locations/store.ts'
import type { Movement } from './movements.ts'
import { moveStock } from './store.ts'

const { db } = await openTestDatabase()
const at = new Date('2026-11-21T09:30:00.000Z')
const why = { cause: 'test', actorId: 1, at }

let made = 0
const makeLocation = async (allowBackorder = false) => {
  made += 1
  const fields = {
    code: `S-${made}`,
    name: 'x',
    kind: 'warehouse' as const,
    address: '',
    isActive: true,
    allowBackorder,
  }
  const location = await inTransaction(db, (tx) => insertLocation(tx, fields, at))
  if (location === undefined) throw new Error('The code is taken.')
  return location
}

class Short extends Error {}
/** Moves, or rolls back; says which. */
const attempt = async (movements: readonly Movement[], before?: (tx: Tx) => Promise<unknown>): Promise<boolean> => {
  try {
    await inTransaction(db, async (tx) => {
      await before?.(tx)
      if (!(await moveStock(tx, movements, why)).ok) throw new Short()
    })
    return true
  } catch (error) {
    if (error instanceof Short) return false
    throw error
  }
}

const balancesOf = (locationIds: readonly number[]) =>
  db
    .selectFrom('stockBalances')
    .selectAll()
    .where('locationId', 'in', locationIds)
    .orderBy('locationId')
    .orderBy('sku')
    .execute()
const sumsOf = async (locationIds: readonly number[]) => {
  const entries = await db.selectFrom('stockEntries').selectAll().where('locationId', 'in', locationIds).execute()
  const sums = new Map<string, { onHand: number; allocated: number }>()
  for (const { locationId, sku, onHand, allocated } of entries) {
    const sum = sums.get(`${locationId} ${sku}`) ?? { onHand: 0, allocated: 0 }
    sums.set(`${locationId} ${sku}`, { onHand: sum.onHand + onHand, allocated: sum.allocated + allocated })
  }
  return sums
}

describe('concurrent allocations', () => {
  test('50 at once of a stock for 20 take exactly 20', async () => {
    const location = await makeLocation()
    await attempt([{ location, sku: 'A', kind: 'adjust', quantity: 20 }])
    const results = await Promise.all(
      Array.from({ length: 50 }, () => attempt([{ location, sku: 'A', kind: 'allocate', quantity: 1 }])),
    )
    expect(results.filter(Boolean)).toHaveLength(20)
    expect(await balancesOf([location.id])).toEqual([{ locationId: location.id, sku: 'A', onHand: 20, allocated: 20 }])
    expect((await sumsOf([location.id])).get(`${location.id} A`)).toEqual({ onHand: 20, allocated: 20 })
  })

  test('of many skus in opposite orders wait for each other instead of failing', async () => {
    const locations = [await makeLocation(true), await makeLocation(true)] as const
    const skus = ['A', 'B', 'C', 'D']
    const movements = locations.flatMap((location) =>
      skus.map((sku) => ({ location, sku, kind: 'allocate' as const, quantity: 1 })),
    )
    let tries = 0
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        attempt(index % 2 === 0 ? movements : movements.toReversed(), async () => {
          tries += 1
        }),
      ),
    )
    expect(results.every(Boolean)).toBe(true)
    // A deadlock would have been mended by another try.
    expect(tries).toBe(20)
    expect((await balancesOf(locations.map(({ id }) => id))).map(({ allocated }) => allocated)).toEqual(
      Array.from({ length: 8 }, () => 20),
    )
  })
})

test('a shortage names each sku that is missing, with what is there', async () => {
  const location = await makeLocation()
  await attempt([{ location, sku: 'A', kind: 'adjust', quantity: 2 }])
  const outcome = await inTransaction(db, (tx) =>
    moveStock(
      tx,
      [
        { location, sku: 'A', kind: 'allocate', quantity: 3 },
        { location, sku: 'B', kind: 'allocate', quantity: 1 },
      ],
      why,
    ),
  )
  expect(outcome).toEqual({
    ok: false,
    shortages: [
      { sku: 'A', wanted: 3, available: 2 },
      { sku: 'B', wanted: 1, available: 0 },
    ],
  })
})

test('after any movements the balances are the sums of the ledger, and nothing is promised twice', async () => {
  const locations = [await makeLocation(), await makeLocation(true)] as const
  const ids = locations.map(({ id }) => id)
  const command = fc.record({
    where: fc.constantFrom(0, 1),
    sku: fc.constantFrom('A', 'B', 'Ä '),
    what: fc.constantFrom('adjust', 'allocate', 'release', 'sale', 'move'),
    quantity: fc.integer({ min: 1, max: 9 }),
    sign: fc.constantFrom(1, -1),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 25 }), async (commands) => {
      for (const { where, sku, what, quantity, sign } of commands) {
        const location = locations[where] ?? locations[0]
        const other = locations[1 - where] ?? locations[1]
        // As packages do, releases and sales only carry out what was promised before.
        const promised = (await balancesOf([location.id])).find((balance) => balance.sku === sku)?.allocated ?? 0
        const bounded = Math.min(quantity, promised)
        if (what === 'adjust') await attempt([{ location, sku, kind: what, quantity: quantity * sign }])
        else if (what === 'allocate') await attempt([{ location, sku, kind: what, quantity }])
        else if (what === 'move')
          await attempt([
            { location, sku, kind: 'release', quantity: bounded },
            { location: other, sku, kind: 'allocate', quantity: bounded },
          ])
        else await attempt([{ location, sku, kind: what, quantity: bounded }])
      }
      const balances = await balancesOf(ids)
      const sums = await sumsOf(ids)
      expect(
        new Map(
          balances.map(({ locationId, sku, onHand, allocated }) => [`${locationId} ${sku}`, { onHand, allocated }]),
        ),
      ).toEqual(sums)
      expect(balances.filter(({ allocated }) => allocated < 0)).toEqual([])
      const strict = balances.filter(({ locationId }) => locationId === locations[0].id)
      expect(strict.filter(({ onHand, allocated }) => onHand < allocated)).toEqual([])
    }),
    { numRuns: 12 },
  )
})
