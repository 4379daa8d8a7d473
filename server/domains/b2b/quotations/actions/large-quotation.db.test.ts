import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { countStatements } from '#testing/count-statements.ts'
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
    insert into products (remote_id, sku, name, price, currency, is_active, created_at, modified_at)
    select ${prefix}::text || n, ${prefix}::text || n, 'Product ' || n, n, 'EUR', true, now(), now() from generate_series(1, ${products}::int) n`.execute(
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

const make = async (): Promise<{ items: number; total: string; statements: number }> => {
  let made = { items: [] as unknown[], total_amount: '' }
  const statements = await countStatements(async () => {
    const answer = await buyer.call('POST', '/api/v1/my-quotations/', { name: 'Large' })
    expect(answer.statusCode).toBe(201)
    made = answer.json()
  })
  return { items: made.items.length, total: made.total_amount, statements }
}

test('a thousand lines are a quotation with no more statements than ten', async () => {
  await fill('few', 10)
  const few = await make()
  await fill('large', 1_000)
  const { items, total, statements } = await make()
  expect([items, total]).toEqual([1_000, '10010.00'])
  expect(statements).toBeLessThanOrEqual(few.statements)
})

test('a draft that is read while it is edited is of one moment', async () => {
  await fill('read', 1)
  const made = await buyer.call('POST', '/api/v1/my-quotations/', { name: 'Read' })
  const { id, items } = made.json<{ id: number; items: { id: number }[] }>()
  const path = `/api/v1/quotations/${id}/`
  await app.call('POST', `${path}set-as-draft/`)
  const edit = (quantity: number) => app.call('PATCH', path, { items: [{ id: items[0]?.id, quantity }] })
  const read = async (): Promise<void> => {
    const answer = await app.call('GET', path)
    const { total_amount: total, items: lines, version } = answer.json()
    expect([answer.headers['etag'], total]).toEqual([`"${version}"`, lines[0].total_amount])
  }
  const editAll = async (): Promise<void> => {
    for (let quantity = 3; quantity <= 14; quantity++) expect((await edit(quantity)).statusCode).toBe(200)
  }
  const readOften = async (): Promise<void> => {
    for (let reads = 0; reads < 60; reads++) await read()
  }
  await Promise.all([editAll(), readOften()])
})
