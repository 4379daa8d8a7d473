import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeBuyers, type Buyer } from '#testing/data/make-buyers.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { addToBasket } from './change-basket.ts'
import { copyItems, holdDraft, removeDraft } from './draft-store.ts'
import { holdBasket, takeBasket } from './whole-basket.ts'
import { readBasket } from './store.ts'

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
    await addToBasket(
      tx,
      { userId, divisionId: main, at: new Date() },
      { productRemoteId: chair, division: main, quantity: 1 },
    )
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

test('a table that replaces the basket replaces what is being put in, too', async () => {
  const buyer = await withBasket()
  const [path, type] = ['/api/v1/basket/import/?replace=true', { 'content-type': 'text/csv' }]
  const answer = await meanwhile(buyer, () => buyer.call('POST', path, 'product_remote_id,quantity\n', type))
  expect(answer.statusCode).toBe(200)
  expect((await buyer.call('GET', '/api/v1/basket/')).json()).toMatchObject({ basket_items: [] })
})

test('what is being put in when the basket is taken is taken too', async () => {
  const buyer = await withBasket()
  const lines = await meanwhile(buyer, () => inTransaction(db, (tx) => takeBasket(tx, buyer.id)))
  expect(lines).toMatchObject([{ divisions: [{ id: main, quantity: 1 }] }])
  expect((await buyer.call('GET', '/api/v1/basket/')).json()).toMatchObject({ basket_items: [] })
})

test('a draft that is being loaded is removed after that', async () => {
  const { id: userId, call } = await withBasket()
  await call('POST', '/api/v1/basket/', { product_remote_id: chair, division: main, quantity: 1 })
  await call('POST', '/api/v1/basket/save/', { name: 'Spring' })
  const [{ id }] = (await call('GET', '/api/v1/basket/drafts/')).json()
  let removal: Promise<boolean> | undefined
  const loaded = await inTransaction(db, async (tx) => {
    const basket = await holdBasket(tx, userId)
    expect(await holdDraft(tx, userId, id)).toBe(true)
    removal = inTransaction(db, (other) => removeDraft(other, userId, id))
    // Enough for it to be done, if it does not wait.
    await Promise.race([removal, sleep(300)])
    await copyItems(tx, id, basket)
    return readBasket(tx, basket, { divisionId: main, at: new Date() })
  })
  expect(loaded.quantities).toMatchObject([{ quantity: 1 }])
  expect(await removal).toBe(true)
})
