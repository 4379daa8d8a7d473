import { expect, test } from 'vitest'
import { makeFulfilment } from '#testing/data/make-fulfilment.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const { call, database } = await makeTestApp()
const fulfilment = makeFulfilment({ call })
const book = (id: number, body: object) =>
  call('POST', `/api/v1/stock_locations/${id}/stock/`, { sku: 'A', quantity: 1, reason: 'Count', ...body })

test('stock is added and taken, and every entry is kept with its reason and actor', async () => {
  const id = await fulfilment.location()
  const added = await book(id, { quantity: 10, reason: 'Delivery' })
  expect(added.statusCode).toBe(201)
  expect(added.json()).toEqual({ sku: 'A', on_hand: 10, allocated: 0, available: 10 })
  expect((await book(id, { quantity: -4, reason: 'Broken' })).json()).toMatchObject({ on_hand: 6 })
  const me = (await call('GET', '/api/v1/auth/me/')).json<{ id: number }>().id
  const entries = await database.db
    .selectFrom('stockEntries')
    .select(['kind', 'onHand', 'allocated', 'cause', 'actorId'])
    .where('locationId', '=', id)
    .orderBy('id')
    .execute()
  expect(entries).toEqual([
    { kind: 'adjust', onHand: 10, allocated: 0, cause: 'Delivery', actorId: me },
    { kind: 'adjust', onHand: -4, allocated: 0, cause: 'Broken', actorId: me },
  ])
})

test('no more can be taken than is available, unless back-orders are allowed', async () => {
  const id = await fulfilment.location({ A: 5 })
  const refused = await book(id, { quantity: -6 })
  expect(refused.statusCode).toBe(400)
  expect(refused.json()).toMatchObject({ code: 'insufficient_stock' })
  await call('PATCH', `/api/v1/stock_locations/${id}/`, { allow_backorder: true })
  expect((await book(id, { quantity: -6 })).json()).toMatchObject({ on_hand: -1, available: -1 })
})

test('what a refused booking would have made known stays unknown', async () => {
  const id = await fulfilment.location()
  expect((await book(id, { sku: 'GHOST', quantity: -1 })).statusCode).toBe(400)
  const order = await call('POST', '/api/v1/packages/', { order_number: 'O-1', items: [{ sku: 'GHOST', quantity: 1 }] })
  expect(Object.keys(order.json())).toEqual(['items.0.sku'])
})

test('an inactive location can be emptied but not filled', async () => {
  const id = await fulfilment.location({ A: 5 })
  await call('PATCH', `/api/v1/stock_locations/${id}/`, { is_active: false })
  const refused = await book(id, { quantity: 1 })
  expect(refused.statusCode).toBe(400)
  expect(refused.json()).toMatchObject({ code: 'location_inactive' })
  expect((await book(id, { quantity: -5 })).statusCode).toBe(201)
})

test.each([
  [{ quantity: 0 }, 'quantity'],
  [{ quantity: 1_000_001 }, 'quantity'],
  [{ quantity: -1_000_001 }, 'quantity'],
  [{ quantity: 0.5 }, 'quantity'],
  [{ sku: '' }, 'sku'],
  [{ sku: 'x'.repeat(101) }, 'sku'],
  [{ reason: ' ' }, 'reason'],
  [{ location: 7 }, 'location'],
])('refuses %j', async (fields, field) => {
  const id = await fulfilment.location()
  const answer = await book(id, fields)
  expect(answer.statusCode).toBe(400)
  expect(Object.keys(answer.json())).toEqual([field])
})

test('the balances of a location are a list with filter, order and pages', async () => {
  const id = await fulfilment.location({ A: 5, B: 9, C: 1 })
  const skus = async (query: string) =>
    (await call('GET', `/api/v1/stock_locations/${id}/stock/?${query}`)).json().map(({ sku }: { sku: string }) => sku)
  expect(await skus('')).toEqual(['A', 'B', 'C'])
  expect(await skus('ordering=-available')).toEqual(['B', 'A', 'C'])
  expect(await skus('ordering=on_hand&limit=1&page=2')).toEqual(['A'])
  expect(await skus('sku=C')).toEqual(['C'])
})

test('the stock of an unknown location is 404', async () => {
  expect((await call('GET', '/api/v1/stock_locations/999999/stock/')).statusCode).toBe(404)
  expect((await book(999_999, {})).statusCode).toBe(404)
})
