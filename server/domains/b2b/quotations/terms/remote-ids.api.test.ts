import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const testApp = await makeTestApp()
const { call, database } = testApp
const world = await makeQuotationWorld(testApp)
const { main, mainBuyer, must } = world
const named = await world.product({ remoteId: 'DESK-1' })
const padded = await world.product({ remoteId: '0042' })
await world.product({ remoteId: '1001' })
const shown = [1001, named, padded]

const idsOf = (items: readonly { readonly product_remote_id: unknown }[]) => items.map((item) => item.product_remote_id)
const read = (url: string) => must(call('GET', url))

test('the remote id of a product is an integer wherever it is one, and otherwise the text that it is', async () => {
  const asked = await world.ask(mainBuyer, main, { 1001: 1, [named]: 2, [padded]: 3 })
  const url = `/api/v1/quotations/${asked.id}/`
  expect(idsOf(asked.items)).toEqual(shown)
  expect(idsOf((await read(url)).items)).toEqual(shown)
  expect(idsOf((await read(`${url}revisions/1/`)).terms.items)).toEqual(shown)
  expect(idsOf((await read(`${url}order-preview/`))[0].items)).toEqual(shown)
  const { orders } = await world.admin(asked.id, 'approve')
  expect(idsOf(orders[0].items)).toEqual(shown)
  const { rows } = await sql<{ items: string }>`
    select items from quotation_orders where quotation_id = ${asked.id}`.execute(database.db)
  expect(idsOf(JSON.parse(rows[0]?.items ?? '[]'))).toEqual(shown)
  const events = await sql<{ body: string }>`
    select body from events where type = 'quotation.order.pending'`.execute(database.db)
  expect(events.rows.map(({ body }) => idsOf(JSON.parse(body).data.items))).toEqual([shown])
})

test('it is added to a draft as either', async () => {
  const { id } = await world.ask(mainBuyer, main, { [named]: 1 })
  await world.admin(id, 'set-as-draft')
  const divisions = [{ id: main, quantity: 1 }]
  expect(idsOf((await world.admin(id, 'products', { product_remote_id: 1001, divisions })).items)).toEqual([
    named,
    1001,
  ])
  const again = await call('POST', `/api/v1/quotations/${id}/products/`, { product_remote_id: '1001', divisions })
  expect([again.statusCode, Object.keys(again.json())]).toEqual([400, ['product_remote_id']])
})

test('revisions of before, in which it is a text and there are no price lists, show both as they are now, and differ in nothing by that', async () => {
  const { id } = await world.ask(mainBuyer, main, { 1001: 1 })
  await sql`
    update quotation_revisions set content = replace(content, '"product_remote_id":1001', '"product_remote_id":"1001"')
    where quotation_id = ${id}`.execute(database.db)
  await sql`
    update quotation_revisions set content = replace(content, ',"price_list":null', '')
    where quotation_id = ${id}`.execute(database.db)
  const url = `/api/v1/quotations/${id}/`
  const { items } = (await read(`${url}revisions/1/`)).terms
  expect([idsOf(items), items[0].price_list]).toEqual([[1001], null])
  await world.admin(id, 'set-as-draft')
  await must(call('PATCH', url, { name: 'Autumn order' }))
  await world.admin(id, 'send-approval-request')
  expect((await read(`${url}revisions/1/diff/2/`)).items).toEqual([])
})
