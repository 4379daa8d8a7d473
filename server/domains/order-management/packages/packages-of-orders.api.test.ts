import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeSupervisor } from '#platform/supervisor.ts'
import { makeFulfilment } from '#testing/data/make-fulfilment.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const app = await makeTestApp()
const { call, services } = app
const world = await makeQuotationWorld(app)
const fulfilment = makeFulfilment(app)
const people = makePeople(app)
const { chair, mainBuyer, main } = world
const lamp = await world.product()
const place = await fulfilment.location({ [chair]: 1_000, [lamp]: 1_000 })
const supervisor = makeSupervisor(services, pino({ level: 'silent' }))
beforeAll(() => supervisor.start())
afterAll(() => supervisor.stop())

interface WireOrder {
  readonly id: number
  readonly number: string
  readonly status: string
  readonly remote_number: string
}
interface Terms {
  readonly items: readonly object[]
}
const path = '/api/v1/packages/'
const pack = (body: object, headers = {}) => call('POST', path, body, headers)
const packed = (body: object) => world.must(pack(body))

/** An order of 5 chairs and 2 lamps that the commerce platform has. */
const order = async (pieces: Readonly<Record<string, number>> = { [chair]: 5, [lamp]: 2 }): Promise<WireOrder> => {
  const { id } = await world.ask(mainBuyer, main, pieces)
  await world.admin(id, 'approve')
  return createdOrder(id)
}
const createdOrder = (id: number): Promise<WireOrder> =>
  vi.waitFor(
    async () => {
      const [one] = (await call('GET', `/api/v1/quotations/${id}/orders/`)).json<WireOrder[]>()
      if (one?.status !== 'created') throw new Error('not created yet')
      return one
    },
    { timeout: 15_000, interval: 25 },
  )
const chairs = (quantity: number) => ({ sku: chair, quantity })
const lamps = (quantity: number) => ({ sku: lamp, quantity })

test('an order becomes a package of all that is in it, under the number that the platform gave it', async () => {
  const { id, remote_number: number } = await order()
  const answer = await pack({ quotation_order: id, stock_location: place })
  expect([answer.statusCode, answer.json()]).toMatchObject([
    201,
    {
      order_number: number,
      quotation_order: id,
      stock_location: place,
      status: 'created',
      items: [chairs(5), lamps(2)],
    },
  ])
  const parcel = answer.json<{ id: number }>()
  expect((await call('GET', `${path}${parcel.id}/`)).json()).toEqual(parcel)
  expect((await call('GET', `${path}?quotation_order=${id}`)).json()).toEqual([parcel])
  const moved = await fulfilment.act(parcel.id, 'transition')
  expect(moved).toMatchObject({ status: 'transitioned', quotation_order: id })
})

test('a part of it goes into a package of its own, the next takes what is left, and then nothing is', async () => {
  const { id } = await order()
  const part = await packed({ quotation_order: id, order_number: 'Mine-1', items: [chairs(3)] })
  expect(part).toMatchObject({ order_number: 'Mine-1', quotation_order: id, items: [chairs(3)] })
  const more = await pack({ quotation_order: id, items: [lamps(2), chairs(3), { sku: 'OTHER', quantity: 1 }] })
  expect([more.statusCode, more.json()]).toEqual([
    400,
    {
      'items.1.quantity': ['Of this sku 2 are left in the order.'],
      'items.2.quantity': ['Of this sku 0 are left in the order.'],
    },
  ])
  expect((await packed({ quotation_order: id })).items).toEqual([chairs(2), lamps(2)])
  const none = await pack({ quotation_order: id })
  expect([none.statusCode, none.json()]).toEqual([
    400,
    { non_field_errors: [expect.any(String)], code: 'quotation_order_packed', allowed_actions: [] },
  ])
  // What is cancelled can be packed again.
  await fulfilment.act(part.id, 'cancel')
  expect((await packed({ quotation_order: id })).items).toEqual([chairs(3)])
})

test('packages are packed by the sku that a product had when it was asked for', async () => {
  const table = await world.product()
  const { results } = (await call('GET', `/api/v1/products/?remote_id=${table}`)).json<{ results: { id: number }[] }>()
  const rename = (sku: string) => call('PATCH', `/api/v1/products/${results[0]?.id}/`, { sku, category: sku })
  await rename('TABLE-1')
  const { id: quotation } = await world.ask(mainBuyer, main, { [table]: 3 })
  await rename('TABLE-2')
  const shown = (await call('GET', `/api/v1/quotations/${quotation}/`)).json<{ items: object[] }>()
  expect(shown.items).toMatchObject([{ product_remote_id: Number(table), sku: 'TABLE-1', category: 'TABLE-2' }])
  const { terms } = (await call('GET', `/api/v1/quotations/${quotation}/revisions/1/`)).json<{ terms: Terms }>()
  expect(terms.items).toMatchObject([{ sku: 'TABLE-1' }])
  expect(terms.items[0]).not.toHaveProperty('category')
  await world.admin(quotation, 'approve')
  const made = await createdOrder(quotation)
  expect(made).toMatchObject({ items: [{ product_remote_id: Number(table), sku: 'TABLE-1', quantity: 3 }] })
  const shelf = await fulfilment.location({ 'TABLE-1': 10 })
  expect((await packed({ quotation_order: made.id, stock_location: shelf })).items).toEqual([
    { sku: 'TABLE-1', quantity: 3 },
  ])
})

test('of two at once who take all of an order one is refused', async () => {
  const { id } = await order()
  const answers = await Promise.all([1, 2, 3].map(() => pack({ quotation_order: id })))
  expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([201, 400, 400])
  expect((await call('GET', `${path}?quotation_order=${id}`)).json()).toHaveLength(1)
})

describe('refused is', () => {
  test('an order that is not there, or not in the platform', async () => {
    const unknown = await pack({ quotation_order: 999_999 })
    expect([unknown.statusCode, unknown.json()]).toEqual([
      400,
      { quotation_order: ['There is no such order of a quotation.'] },
    ])
    await supervisor.stop()
    const { id: quotation } = await world.ask(mainBuyer, main)
    const { orders } = await world.admin(quotation, 'approve')
    const waiting = await pack({ quotation_order: orders[0].id })
    expect([waiting.statusCode, waiting.json().code]).toEqual([400, 'quotation_order_not_created'])
    await supervisor.start()
  })

  test('an order of what no stock location has ever had', async () => {
    const table = await world.product()
    const { id } = await order({ [table]: 1, [chair]: 1 })
    const answer = await pack({ quotation_order: id })
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { quotation_order: [`No stock location has ever had these of its skus: ${table}.`] },
    ])
    expect((await packed({ quotation_order: id, items: [chairs(1)] })).items).toEqual([chairs(1)])
  })

  test('a package of nothing: without an order it says what is in it', async () => {
    for (const body of [{}, { quotation_order: null }]) {
      expect((await pack(body)).json()).toEqual({
        order_number: ['This field is required.'],
        items: ['This field is required.'],
      })
    }
    expect((await pack({ quotation_order: 'x' })).json()).toHaveProperty('quotation_order')
  })

  test('whoever may not read quotations, and learns nothing', async () => {
    const { id } = await order()
    const staff = await people.authorization(await people.person({ is_staff: true }))
    const keyOf = async (...scopes: string[]) => {
      const made = await world.must(call('POST', '/api/v1/auth/api-keys/', { name: 'OMS', scopes }, staff))
      return { authorization: `Api-Key ${made.key}` }
    }
    const limited = await keyOf('order-management:write')
    for (const wanted of [id, 999_999]) {
      const answer = await pack({ quotation_order: wanted }, limited)
      expect([answer.statusCode, answer.json()]).toEqual([403, { detail: 'This key lacks the scope quotations:read.' }])
    }
    const both = await keyOf('order-management:write', 'quotations:read')
    expect((await pack({ quotation_order: id }, both)).statusCode).toBe(201)
    expect((await pack({ quotation_order: id }, await people.authorization(await people.person()))).statusCode).toBe(
      403,
    )
  })
})
