import { expect, test } from 'vitest'
import { makeBuyers } from '#testing/data/make-buyers.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const testApp = await makeTestApp()
const make = makeBuyers(testApp)
const main = await make.division()
const products = await Promise.all(Array.from({ length: 200 }, () => make.product()))
const buyer = await make.buyer(main)
const header = 'product_remote_id,quantity\n'
const table = (pieces: number, order: readonly string[] = products) =>
  header + order.map((product) => `${product},${pieces}\n`).join('')
const load = (text: string) => buyer.call('POST', '/api/v1/basket/import/', text, { 'content-type': 'text/csv' })
const quantities = async (): Promise<number[]> => {
  const { basket_items: items } = (await buyer.call('GET', '/api/v1/basket/')).json<{
    basket_items: { quantity: number }[]
  }>()
  return items.map(({ quantity }) => quantity)
}

test('of tables at once one is there as a whole, and of one with a bad row nothing', async () => {
  const tables = [table(1), table(2, products.toReversed()), `${table(3)}none,3\n`, table(4)]
  const answers = await Promise.all(tables.map(load))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 400, 200])
  const found = await quantities()
  expect(found).toHaveLength(200)
  expect([1, 2, 4]).toContain(found[0])
  expect(new Set(found).size).toBe(1)
})
