import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { insertLocation } from '../stock-locations/store.ts'
import { moveStock } from './store.ts'

const { db } = await openTestDatabase()
const at = new Date('2026-11-21T09:30:00.000Z')

test.each([
  ['update', sql`update stock_entries set on_hand = 0`],
  ['delete', sql`delete from stock_entries`],
  ['truncate', sql`truncate stock_entries`],
  ['truncate', sql`truncate stock_balances cascade`],
])('the ledger of stock refuses %s, whoever asks', async (operation, statement) => {
  const before = await db.selectFrom('stockEntries').selectAll().execute()
  await expect(statement.execute(db)).rejects.toThrow(`stock_entries is append-only: ${operation} is refused`)
  expect(await db.selectFrom('stockEntries').selectAll().execute()).toEqual(before)
})

test('and still takes entries', async () => {
  const fields = {
    code: 'A',
    name: 'x',
    kind: 'warehouse',
    address: '',
    isActive: true,
    allowBackorder: false,
  } as const
  const moved = await inTransaction(db, async (tx) => {
    const location = await insertLocation(tx, fields, at)
    if (location === undefined) throw new Error('The code is taken.')
    return moveStock(tx, [{ location, sku: 'A', kind: 'adjust', quantity: 2 }], { cause: 'x', actorId: 1, at })
  })
  expect(moved.ok).toBe(true)
  expect(await db.selectFrom('stockEntries').select('onHand').execute()).toEqual([{ onHand: 2 }])
})
