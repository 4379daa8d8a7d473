import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeBuyers } from '#testing/data/make-buyers.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const app = await makeTestApp()
const { db } = app.database
const buyers = makeBuyers(app)
const main = await buyers.division()
const buyer = await buyers.buyer(main)

/** A basket of so many products. */
const fill = async (prefix: string, products: number): Promise<void> => {
  await sql`
    insert into products (remote_id, name, price, currency, is_active, created_at, modified_at)
    select ${prefix}::text || n, 'Product ' || n, n, 'EUR', true, now(), now() from generate_series(1, ${products}::int) n`.execute(
    db,
  )
  await sql`
    insert into baskets (user_id) values (${buyer.id}) on conflict do nothing`.execute(db)
  await sql`
    insert into basket_items (basket_id, product_id, division_id, quantity)
    select baskets.id, products.id, ${main}::bigint, 2 from products, baskets
    where starts_with(remote_id, ${prefix}) and user_id = ${buyer.id} order by products.id`.execute(db)
  // As the server's vacuum does: keys were looked up in a table of ten.
  await sql`analyze`.execute(db)
}

const make = async (): Promise<{ items: number; total: string; ms: number }> => {
  const from = performance.now()
  const answer = await buyer.call('POST', '/api/v1/my-quotations/', { name: 'Large' })
  const ms = performance.now() - from
  expect(answer.statusCode).toBe(201)
  const { items, total_amount: total } = answer.json()
  return { items: items.length, total, ms }
}

test('a thousand lines are a quotation at once', async () => {
  await fill('warm', 10)
  await make()
  await fill('large', 1_000)
  const { items, total, ms } = await make()
  expect([items, total]).toEqual([1_000, '10010.00'])
  // 200 ms on a quiet machine: a query for each line would take seconds.
  expect(ms).toBeLessThan(2_000)
})
