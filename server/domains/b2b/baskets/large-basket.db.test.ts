import { sql, type KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeBuyers } from '#testing/data/make-buyers.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { basketToWire, maxBasketQuantities } from './basket.ts'
import { addToBasket, setInBasket } from './change-basket.ts'
import { holdBasket } from './whole-basket.ts'

const testApp = await makeTestApp()
const { db } = testApp.database
const make = makeBuyers(testApp)
const main = await make.division()
const divisions = await Promise.all(Array.from({ length: 20 }, () => make.division({ parent: main })))
const chair = await make.product()
const buyer = { userId: (await make.buyer(main)).id, divisionId: main, at: new Date() }
const wanted = { productRemoteId: chair, division: main, quantity: 1 }

/** What adding a piece and setting it again takes. */
const changes = async (): Promise<{ queries: number; total: number }> => {
  let queries = 0
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => {
      queries += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const basket = await inTransaction(db, async (tx) => {
    const counted = tx.withPlugin(counter)
    await addToBasket(counted, buyer, wanted)
    return setInBasket(counted, buyer, wanted)
  })
  const { total_quantity: total } = basketToWire(basket)
  return { queries, total }
}

test('a basket of 999 products for 20 divisions takes as many queries as one of nothing', async () => {
  const id = await inTransaction(db, (tx) => holdBasket(tx, buyer.userId))
  const small = await changes()
  await sql`
    with made as (
      insert into products (remote_id, sku, name, price, currency, created_at, modified_at)
      select 'many-' || n, 'many-' || n, 'Product ' || n, 100, 'EUR', now(), now() from generate_series(1, 999) as n returning id)
    insert into basket_items (basket_id, product_id, division_id, quantity)
    select ${id}::bigint, made.id, division, 2
    from made cross join unnest(${divisions}::bigint[]) as division`.execute(db)
  const large = await changes()
  expect(small.total).toBe(1)
  expect(large.total).toBe(39_961)
  expect(small.queries).toBeGreaterThan(4)
  expect(large.queries).toBe(small.queries)
})

test('a basket that is full takes no other product, and is changed where it is', async () => {
  const id = await inTransaction(db, (tx) => holdBasket(tx, buyer.userId))
  await sql`
    with made as (
      insert into products (remote_id, sku, name, price, currency, created_at, modified_at)
      select 'last-' || n, 'last-' || n, 'Product ' || n, 100, 'EUR', now(), now() from generate_series(1, ${maxBasketQuantities - 19_981}::int) as n
      returning id)
    insert into basket_items (basket_id, product_id, division_id, quantity)
    select ${id}::bigint, made.id, ${main}::bigint, 2 from made`.execute(db)
  expect(maxBasketQuantities).toBe(20_000)
  const one = { ...wanted, productRemoteId: await make.product() }
  const added = inTransaction(db, (tx) => addToBasket(tx, buyer, one))
  await expect(added).rejects.toMatchObject({ status: 400, code: 'basket_full' })
  const set = await inTransaction(db, (tx) => setInBasket(tx, buyer, { ...wanted, quantity: 7 }))
  expect(set.quantities.length).toBe(maxBasketQuantities)
})
