import { describe, expect, test } from 'vitest'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

// The storefront client @akinon/next: its requests as the proxy of a storefront passes them on, and the types of what it reads.

const app = await makeTestApp()
const people = makePeople(app)
const must = async (path: string, body: object) => {
  const answer = await app.call('POST', path, body)
  expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)])
  return answer.json<{ id: number }>()
}
const main = await must('/api/v1/divisions/', { name: 'Acme', erp_code: 'HQ', monthly_order_limit: '100000' })
const branch = await must('/api/v1/divisions/', {
  name: 'Acme North',
  parent: main.id,
  extra_data: { region: 'north' },
})
await must('/api/v1/products/', { remote_id: '1001', name: 'Oak chair', price: '49.90', currency: 'EUR' })
const authorization = await people.authorization(await people.person({ division: main.id }))

const send = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object, json = true) => {
  const answer = await app.call(method, path, method === 'GET' ? undefined : (body ?? {}), {
    ...authorization,
    ...(json ? { 'content-type': 'application/json' } : {}),
    accept: 'application/json',
    'x-requested-with': 'XMLHttpRequest',
    referer: 'http://127.0.0.1:4000',
    'accept-language': 'tr-tr',
    'user-agent': 'node',
  })
  // The proxy reads every answer as JSON, and hands all of 20x on as 200.
  return { status: answer.statusCode, body: answer.json() }
}
const read = async (...request: Parameters<typeof send>) => {
  const { status, body } = await send(...request)
  expect([status, body]).toEqual([expect.toSatisfy((code: number) => code >= 200 && code < 210), body])
  return body
}

const text = expect.any(String)
const number = expect.any(Number)
const amount = expect.stringMatching(/^\d+\.\d\d$/)
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)

const division = {
  id: number,
  name: text,
  division_type: text,
  erp_code: text,
  country_id: null,
  city_id: null,
  township_id: null,
  district_id: null,
  address: text,
  phone_number: text,
  fax_number: text,
  is_active: true,
  latitude: null,
  longitude: null,
  monthly_order_limit: amount,
  current_balance: amount,
  current_balance_last_update: null,
  extra_data: expect.any(Object),
}
const item = {
  total_amount: amount,
  price: amount,
  quantity: number,
  divisions: [{ id: branch.id, name: 'Acme North', erp_code: text, quantity: number }],
  product: expect.objectContaining({ name: 'Oak chair', price: amount, currency: 'EUR' }),
  product_remote_id: 1001,
}
const basketOf = (...items: object[]) =>
  expect.objectContaining({
    id: number,
    total_amount: amount,
    total_quantity: number,
    basket_items: items.map((each) => expect.objectContaining(each)),
  })
const quotation = {
  id: number,
  name: text,
  net_amount: amount,
  number: text,
  status: 'pending',
  total_amount: amount,
  modified_at: time,
  created_at: time,
}
/** As a form sends it. */
const three = { division: String(branch.id), product_remote_id: '1001', quantity: '3' }

describe('the storefront client', () => {
  test('reads the divisions that its buyer orders for, all at once', async () => {
    expect(await read('GET', '/b2b/my-divisions/', undefined, false)).toEqual({
      count: 2,
      next: null,
      previous: null,
      results: [
        expect.objectContaining({ ...division, parent: null, monthly_order_limit: '100000.00' }),
        expect.objectContaining({ ...division, parent: main.id, extra_data: { region: 'north' } }),
      ],
    })
  })

  test('fills, changes and empties the basket, with numbers as texts and as numbers', async () => {
    expect(await read('GET', '/b2b/basket/')).toEqual(basketOf())
    expect(await read('POST', '/b2b/basket/', three)).toEqual(
      basketOf({ ...item, quantity: 3, total_amount: '149.70' }),
    )
    const five = { product_remote_id: 1001, division: branch.id, quantity: 5 }
    expect(await read('PUT', '/b2b/basket/', five)).toEqual(basketOf({ ...item, quantity: 5 }))
    expect(await read('DELETE', '/b2b/basket/', { product_remote_id: 1001 })).toEqual(basketOf())
  })

  test('puts a basket aside and takes it back', async () => {
    await read('POST', '/b2b/basket/', three)
    expect(await read('POST', '/b2b/basket/save/', { name: 'Spring' })).toEqual(basketOf())
    const drafts = await read('GET', '/b2b/basket/drafts/', undefined, false)
    expect(drafts).toEqual([
      expect.objectContaining({ id: number, name: 'Spring', total_amount: '149.70', total_quantity: 3 }),
    ])
    expect(await read('POST', `/b2b/basket/${drafts[0].id}/load/`)).toEqual(basketOf(item))
  })

  test('makes a quotation of the basket and lists those of a status', async () => {
    expect(await read('POST', '/b2b/my-quotations/', { name: 'Chairs' })).toMatchObject(quotation)
    const list = (status: string) => read('GET', `/b2b/my-quotations/?page=1&status=${status}&limit=10`)
    expect(await list('pending')).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [expect.objectContaining(quotation)],
    })
    expect(await list('approved')).toMatchObject({ count: 0, results: [] })
  })

  test('is told what is wrong in non_field_errors', async () => {
    const { status, body } = await send('POST', '/b2b/my-quotations/', { name: 'Nothing' })
    expect([status, body]).toEqual([400, expect.objectContaining({ non_field_errors: [text] })])
  })
})
