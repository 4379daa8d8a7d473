import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeQuotationWorld, type WireQuotation } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const app = await makeTestApp({ clock })
const { call } = app
const { db } = app.database
const world = await makeQuotationWorld(app)
const { owner, mainBuyer, main, branch, ask, admin, mine, must, buyer, division, staff, chair, product } = world

const lastPrices = async (id: number) => (await must(call('GET', `/api/v1/quotations/${id}/last-prices/`))).results

/** Approves a quotation with this price for its chairs, half of which is taken off again. */
const buy = async (made: WireQuotation, price: number): Promise<WireQuotation> => {
  clock.advance(60_000)
  await admin(made.id, 'set-as-draft')
  await must(call('PATCH', `/api/v1/quotations/${made.id}/`, { items: [{ id: made.items[0].id, price }] }))
  await admin(made.id, 'discounts', { discount_type: 'percentage', value: 50 })
  return admin(made.id, 'approve')
}

test('says what the company paid last for a product, before discounts, and when', async () => {
  const lamp = await product({ price: 1_250 })
  const now = await ask(owner, branch, { [chair]: 1, [lamp]: 2 })
  expect(await lastPrices(now.id)).toEqual([])
  const first = await buy(await ask(mainBuyer, main), 90)
  const second = await buy(await ask(mainBuyer, main), 85.5)
  const elsewhere = await division()
  await buy(await ask(await buyer(elsewhere), elsewhere), 70)
  await admin((await ask(mainBuyer, main)).id, 'reject')
  const paid = (quotation: WireQuotation, price: string) => ({
    product_remote_id: Number(chair),
    price,
    currency: 'EUR',
    quotation: { id: quotation.id, number: quotation.number },
    approved_at: quotation.modified_at,
  })
  expect(await lastPrices(now.id)).toEqual([paid(second, '85.50')])
  // Of what is approved itself it is what was paid before.
  expect(await lastPrices(second.id)).toEqual([paid(first, '90.00')])
  expect(await lastPrices(first.id)).toEqual([])
})

test('follows a division into another company', async () => {
  const [from, to] = [await division(), await division()]
  const leaf = await division({ parent: from })
  const before = await ask(await buyer(leaf), leaf)
  await mine(await buyer(from), before.id, 'approve-pending-request')
  await buy(before, 12)
  const now = await ask(await buyer(to), to)
  expect(await lastPrices(now.id)).toEqual([])
  await must(call('PATCH', `/api/v1/divisions/${leaf}/`, { parent: to }))
  expect(await lastPrices(now.id)).toMatchObject([{ quotation: { id: before.id }, price: '12.00' }])
})

test('is for the back office', async () => {
  const { id } = await ask(owner, branch)
  const path = `/api/v1/quotations/${id}/last-prices/`
  expect((await staff.call('GET', path)).statusCode).toBe(200)
  expect((await owner.call('GET', path)).statusCode).toBe(403)
  expect((await call('GET', '/api/v1/quotations/987654/last-prices/')).statusCode).toBe(404)
})

test('is one look-up in an index for each product', async () => {
  const { id, user } = await ask(owner, branch)
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain select (select price from paid_prices where root_division_id = ${user.division.id} and product_id = item.product_id
      and (approved_at, quotation_id) < ('infinity', ${id}::bigint) order by approved_at desc, quotation_id desc limit 1)
    from quotation_items item`.execute(db)
  expect(JSON.stringify(rows)).toContain('Index Scan Backward using paid_prices_pkey')
})
