import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeBuyers } from '#testing/data/make-buyers.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { takeBasket } from './whole-basket.ts'

const testApp = await makeTestApp()
const { db } = testApp.database
const make = makeBuyers(testApp)
const main = await make.division()
const branch = await make.division({ parent: main })
const [chair, desk] = [await make.product(), await make.product()]

const idOf = async (remoteId: string): Promise<number> => {
  const { rows } = await sql<{ id: number }>`select id from products where remote_id = ${remoteId}`.execute(db)
  return rows[0]?.id ?? 0
}
const filled = async () => {
  const buyer = await make.buyer(main)
  for (const [product, division, quantity] of [
    [desk, branch, 2],
    [chair, main, 3],
    [desk, main, 4],
  ]) {
    await buyer.call('POST', '/api/v1/basket/', { product_remote_id: product, division, quantity })
  }
  return buyer
}
const take = (userId: number) => inTransaction(db, (tx) => takeBasket(tx, userId))

test('what is taken are the lines in order, and they are gone', async () => {
  const buyer = await filled()
  const lines = [
    {
      productId: await idOf(desk),
      divisions: [
        { id: branch, quantity: 2 },
        { id: main, quantity: 4 },
      ],
    },
    { productId: await idOf(chair), divisions: [{ id: main, quantity: 3 }] },
  ]
  expect(await take(buyer.id)).toEqual(lines)
  expect(await take(buyer.id)).toEqual([])
  expect((await buyer.call('GET', '/api/v1/basket/')).json()).toMatchObject({ basket_items: [] })
})

test('who never had a basket takes an empty one', async () => {
  expect(await take((await make.buyer(main)).id)).toEqual([])
})

test('a basket stays when what it was taken for fails', async () => {
  const buyer = await filled()
  const failing = inTransaction(db, async (tx) => {
    await takeBasket(tx, buyer.id)
    throw new Error('no quotation')
  })
  await expect(failing).rejects.toThrow('no quotation')
  expect(await take(buyer.id)).toHaveLength(2)
})

test('of two at once one gets it, the other an empty one', async () => {
  const buyer = await filled()
  const taken = await Promise.all([take(buyer.id), take(buyer.id), take(buyer.id)])
  expect(taken.filter((lines) => lines.length === 2)).toHaveLength(1)
  expect(taken.filter((lines) => lines.length === 0)).toHaveLength(2)
})

test('what is put aside is not taken', async () => {
  const buyer = await filled()
  await buyer.call('POST', '/api/v1/basket/save/', { name: 'Later' })
  expect(await take(buyer.id)).toEqual([])
  expect((await buyer.call('GET', '/api/v1/basket/drafts/')).json()).toMatchObject([{ total_quantity: 9 }])
})
