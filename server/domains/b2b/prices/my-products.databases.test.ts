import { expect, test } from 'vitest'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const app = await makeTestApp()
const { person, authorization } = makePeople(app)
const path = '/api/v1/my-products/'
const made = async (url: string, body: object): Promise<number> => {
  const answer = await app.call('POST', url, body)
  expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)])
  return answer.json<{ id: number }>().id
}
const product = (remoteId: number | string, name: string, more: object = {}) =>
  made('/api/v1/products/', { remote_id: remoteId, name, price: '49.9', currency: 'EUR', ...more })
const division = await made('/api/v1/divisions/', { name: 'Acme' })
const buyer = await authorization(await person({ division }))
const read = (more = '', headers = buyer) => app.call('GET', `${path}${more}`, undefined, headers)
const ids = async (query: string): Promise<number[]> =>
  (await read(`?${query}`)).json<{ results: { id: number }[] }>().results.map(({ id }) => id)

const looks = {
  base_code: 'CHAIRS',
  category: 'Seats',
  image: 'https://shop.example/1.jpg',
  attributes: { wood: 'oak' },
}
const chair = await product(1001, 'Oak chair', { sku: 'OAK-1', ...looks })
const lamp = await product('LAMP', 'Işıklı lamba', { category: 'Lights' })
const stool = await product('STOOL', 'Oak stool', { category: 'Seats', is_active: false })

test('buyers see what is sold, as they can put it into a basket', async () => {
  const shown = {
    id: chair,
    product_remote_id: 1001,
    sku: 'OAK-1',
    name: 'Oak chair',
    ...looks,
    list_price: '49.90',
    price: '49.90',
    price_list: null,
    currency: 'EUR',
  }
  const answer = await read('?limit=1')
  expect(answer.json()).toEqual({
    count: 2,
    next: expect.stringContaining('page=2'),
    previous: null,
    results: [shown],
  })
  expect((await read(`${chair}/`)).json()).toEqual(shown)
  expect((await read(`${stool}/`)).statusCode).toBe(404)
  expect(await ids('')).toEqual([chair, lamp])
  const basket = await app.call('POST', '/api/v1/basket/', { product_remote_id: 1001, division, quantity: 2 }, buyer)
  expect(basket.json()).toMatchObject({
    basket_items: [{ product: { sku: 'OAK-1', ...looks, product_image: looks.image } }],
  })
})

test('at the prices of their division', async () => {
  const list = { division, product_remote_id: 1001, name: 'Summer', price: '40' }
  const id = await made('/api/v1/prices/', list)
  await made('/api/v1/prices/', { ...list, division: await made('/api/v1/divisions/', { name: 'Other' }), price: '1' })
  const priced = { list_price: '49.90', price: '40.00', price_list: { id, name: 'Summer' } }
  expect((await read(`${chair}/`)).json()).toMatchObject(priced)
  expect((await read()).json().results).toMatchObject([
    { id: chair, ...priced },
    { id: lamp, price_list: null },
  ])
})

test('they find it by words, by category and in an order', async () => {
  expect(await ids('q=oak')).toEqual([chair])
  expect(await ids(`q=${encodeURIComponent('LAMBA IŞIK')}`)).toEqual([lamp])
  expect(await ids(`q=${encodeURIComponent('seats oak-1')}`)).toEqual([chair])
  expect(await ids(`q=${encodeURIComponent('oak lamba')}`)).toEqual([])
  expect(await ids('category=Lights')).toEqual([lamp])
  expect(await ids('ordering=-category')).toEqual([chair, lamp])
})

test('who belongs to no division sees nothing, and who is nobody is asked to log in', async () => {
  const stranger = await authorization(await person())
  expect((await read('', stranger)).json()).toMatchObject({ count: 0, results: [] })
  expect((await read(`${chair}/`, stranger)).statusCode).toBe(404)
  expect((await read('', { authorization: '' })).statusCode).toBe(401)
})
