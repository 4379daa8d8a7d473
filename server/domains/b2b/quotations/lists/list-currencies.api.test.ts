import { expect, test } from 'vitest'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const app = await makeTestApp()
const { call } = app
const world = await makeQuotationWorld(app)
const { main, mainBuyer, admin, must } = world

test('net amounts are ordered in units of their currency, as totals are', async () => {
  const prices = [
    ['EUR', 5_000],
    ['JPY', 1_000],
    ['KWD', 700_000],
    ['EUR', 90_000],
    ['JPY', 0],
  ] as const
  const ids: number[] = []
  for (const [currency, price] of prices) {
    const product = await world.product({ currency, price })
    ids.push((await world.ask(mainBuyer, main, { [product]: 1 })).id)
  }
  const [eur50, jpy1000, kwd700, eur900, jpy0] = ids
  const expected = [jpy0, eur50, kwd700, eur900, jpy1000]
  const lists = [
    ['/api/v1/quotations/', call],
    ['/api/v1/my-quotations/', mainBuyer.call],
  ] as const
  const follows = async () => {
    for (const [path, ask] of lists)
      for (const field of ['net_amount', 'total_amount']) {
        const idsBy = async (ordering: string) =>
          (await must(ask('GET', `${path}?ordering=${ordering}`))).results.map(({ id }: { id: number }) => id)
        expect([path, field, await idsBy(field)]).toEqual([path, field, expected])
        expect([path, field, await idsBy(`-${field}`)]).toEqual([path, field, expected.toReversed()])
      }
  }
  await follows()
  // The same of a draft, of which its owner knows what was sent.
  for (const id of [eur50, jpy1000]) await admin(id ?? 0, 'set-as-draft')
  await follows()
  // And of what takes some off: 999 yen are more than 900 euros, and 0.500 dinars less than 50.
  await admin(jpy1000 ?? 0, 'discounts', { discount_type: 'fixed', value: 1 })
  await admin(kwd700 ?? 0, 'set-as-draft')
  await admin(kwd700 ?? 0, 'discounts', { discount_type: 'fixed', value: '699.500' })
  const { results } = await must(call('GET', '/api/v1/quotations/?ordering=net_amount'))
  expect(results.map(({ net_amount: net }: { net_amount: string }) => net)).toEqual([
    '0',
    '0.500',
    '50.00',
    '900.00',
    '999',
  ])
})
