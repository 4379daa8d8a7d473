import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeBuyers, type Buyer } from '#testing/make-buyers.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { addToBasket } from './change-basket.ts'
import { takeBasket } from './take-basket.ts'

const testApp = await makeTestApp()
const { db } = testApp.database
const make = makeBuyers(testApp)
const main = await make.division()
const [chair, dollars] = [await make.product(), await make.product({ currency: 'USD' })]

/** Somebody with a basket that has nothing in it: making it does not count as a change. */
const withBasket = async (): Promise<Buyer> => {
  const buyer = await make.buyer(main)
  await buyer.call('GET', '/api/v1/basket/')
  return buyer
}

/** Puts a chair in, and does something else before that is committed. @returns what the other thing came to. */
const meanwhile = async <T>({ id: userId }: Buyer, other: () => Promise<T>): Promise<T> => {
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
  const { promise: isPut, resolve: put } = Promise.withResolvers<void>()
  const first = inTransaction(db, async (tx) => {
    await addToBasket(tx, { userId, divisionId: main }, { productRemoteId: chair, division: main, quantity: 1 })
    put()
    await mayCommit
  })
  await isPut
  const second = other()
  // Enough for it to be done, if it does not wait.
  await Promise.race([second, sleep(300)])
  commit()
  await first
  return second
}

test('a change sees what a change before it put in, and refuses another currency', async () => {
  const buyer = await withBasket()
  const body = { product_remote_id: dollars, division: main, quantity: 1 }
  const answer = await meanwhile(buyer, () => buyer.call('POST', '/api/v1/basket/', body))
  expect([answer.statusCode, answer.json()]).toMatchObject([400, { code: 'mixed_currencies' }])
})

test('what is being put in when the basket is taken is taken too', async () => {
  const buyer = await withBasket()
  const lines = await meanwhile(buyer, () => inTransaction(db, (tx) => takeBasket(tx, buyer.id)))
  expect(lines).toMatchObject([{ divisions: [{ id: main, quantity: 1 }] }])
  expect((await buyer.call('GET', '/api/v1/basket/')).json()).toMatchObject({ basket_items: [] })
})
