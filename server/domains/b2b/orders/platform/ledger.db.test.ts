import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import type { PlatformOrder } from './commerce-platform.ts'
import { makeLedger } from './ledger-store.ts'

const { db } = await openTestDatabase()
const ledger = makeLedger({ db, clock: systemClock })

const order: PlatformOrder = {
  number: 'Q-2026-17-1',
  quotationNumber: 'Q-2026-17',
  division: { id: 12, name: 'Branch', erpCode: 'B-1' },
  currency: 'JPY',
  amount: 1_500n,
  quantity: 3,
  items: [{ productRemoteId: '1001', quantity: 3, amount: 1_500n }],
}

const kept = async (): Promise<{ key: string; content: string }[]> =>
  (await sql<{ key: string; content: string }>`select key, content from ledger_orders order by id`.execute(db)).rows

test('orders are kept and numbered, one for each key', async () => {
  const first = await ledger.createOrder(order, '17-1-12-1')
  const second = await ledger.createOrder(order, '17-1-12-2')
  expect([first, second]).toEqual([{ number: expect.stringMatching(/^L-\d+$/) }, expect.anything()])
  expect(second).not.toEqual(first)
  expect(await ledger.createOrder({ ...order, quantity: 99 }, '17-1-12-1')).toEqual(first)
  const orders = await kept()
  expect(orders.map(({ key }) => key)).toEqual(['17-1-12-1', '17-1-12-2'])
  expect(JSON.parse(orders[0]?.content ?? '')).toMatchObject({ number: 'Q-2026-17-1', amount: '1500', quantity: 3 })
})

test('an order that is asked for many times at once has one number', async () => {
  const before = (await kept()).length
  const numbers = await Promise.all(Array.from({ length: 8 }, () => ledger.createOrder(order, 'at once')))
  expect(new Set(numbers.map((created) => JSON.stringify(created))).size).toBe(1)
  expect(await kept()).toHaveLength(before + 1)
})
