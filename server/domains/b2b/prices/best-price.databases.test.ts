import { describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { seededRandom } from '#platform/seeded-random.ts'
import { pricedProducts } from './best-price-store.ts'

const clock = makeFakeClock(new Date('2026-11-21T00:00:00.000Z'))
const app = await makeTestApp({ clock })
const { db } = app.database
const quotations = await makeQuotationWorld(app)
const { must, buyer } = quotations
await must(app.call('PATCH', '/api/v1/settings/', { QUOTATION_MINIMUM_AMOUNT: '0' }))

const random = seededRandom(20_261_124)
/** A whole number from 0, and below `end`. */
const below = (end: number): number => Math.floor(random() * end)
const from = <T>(values: readonly T[]): T => values[below(values.length)] as T
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

interface Row {
  readonly id: number
  readonly division: number
  readonly covers: 'division' | 'tree'
  readonly product: number
  readonly price: number
  readonly currency: string
  readonly name: string
  readonly from: number
  readonly to: number | null
}
interface World {
  /** Division → the one above it. */
  readonly parents: ReadonlyMap<number, number | null>
  readonly products: readonly { readonly id: number; readonly remoteId: string; readonly price: number }[]
  readonly rows: readonly Row[]
}

/** Hours from one time; few of them, so that many prices begin and end just then. */
const hours = 8
const timeOf = (hour: number): Date => new Date(Date.UTC(2026, 10, 22, hour))

/** A forest of divisions, products, and prices of few kinds, so that many are the same. */
const makeWorld = async (size: number): Promise<World> => {
  const parents = new Map<number, number | null>()
  for (const _ of times(8, () => 0)) {
    const parent = random() < 0.2 ? null : from([...parents.keys(), null])
    parents.set(await quotations.division({ parent }), parent)
  }
  const { rows: products } = await sql<World['products'][number]>`
    insert into products (remote_id, sku, name, price, currency, created_at, modified_at)
    select named, named, 'Product', price, 'EUR', now(), now()
    from unnest(${times(size, () => 2 + below(5))}::bigint[]) with ordinality as given (price, n)
    cross join lateral (select 'W' || ${[...parents.keys()][0]} || '-' || n) as one (named)
    returning id, remote_id, price`.execute(db)
  const given = times(10 * size, (index) => {
    const start = below(hours)
    return {
      division: from([...parents.keys()]),
      covers: from(['division', 'tree'] as const),
      product: from(products).id,
      price: below(7),
      currency: random() < 0.9 ? 'EUR' : 'USD',
      name: `List ${index}`,
      from: start,
      to: random() < 0.3 ? null : start + 1 + below(hours),
    }
  })
  const { rows: ids } = await sql<{ id: number; name: string }>`
    insert into prices (division_id, covers, product_id, price, currency, name, valid_from, valid_to, created_at, modified_at)
    select given.*, now(), now() from unnest(
      ${given.map(({ division }) => division)}::bigint[], ${given.map(({ covers }) => covers)}::text[],
      ${given.map(({ product }) => product)}::bigint[], ${given.map(({ price }) => price)}::bigint[],
      ${given.map(({ currency }) => currency)}::text[], ${given.map(({ name }) => name)}::text[],
      ${given.map((row) => timeOf(row.from).toISOString())}::timestamptz[],
      ${given.map(({ to }) => (to === null ? null : timeOf(to).toISOString()))}::timestamptz[]) as given
    returning id, name`.execute(db)
  const idOf = new Map(ids.map(({ id, name }) => [name, id]))
  return { parents, products, rows: given.map((row) => ({ ...row, id: idOf.get(row.name) ?? 0 })) }
}

/** What the rules say, in as few words as they have. */
const bestOf = (
  { parents, rows }: World,
  product: World['products'][number],
  { division, hour }: { readonly division: number; readonly hour: number },
): Row | undefined => {
  const above: number[] = []
  for (let at: number | null = division; at !== null; at = parents.get(at) ?? null) above.push(at)
  const distance = (row: Row): number => above.indexOf(row.division)
  const holds = (row: Row): boolean =>
    row.product === product.id &&
    row.currency === 'EUR' &&
    (row.covers === 'tree' ? distance(row) >= 0 : row.division === division) &&
    row.from <= hour &&
    (row.to === null || hour < row.to)
  return rows
    .filter((row) => holds(row) && row.price < product.price)
    .toSorted((a, b) => a.price - b.price || distance(a) - distance(b) || b.from - a.from || a.id - b.id)[0]
}

describe('the price of a division', () => {
  test('is the best that holds at that time, in 10,000 cases', async () => {
    let cases = 0
    let listed = 0
    for (let round = 0; round < 20; round += 1) {
      const world = await makeWorld(50)
      const ids = world.products.map(({ id }) => id)
      for (const _ of times(10, () => 0)) {
        const asked = { division: from([...world.parents.keys()]), hour: below(hours) }
        const found = await pricedProducts(db, ids, { divisionId: asked.division, at: timeOf(asked.hour) })
        const expected = world.products.map((product) => {
          const best = bestOf(world, product, asked)
          return [product.id, best?.price ?? null, best === undefined ? null : { id: best.id, name: best.name }]
        })
        listed += expected.filter(([, price]) => price !== null).length
        cases += expected.length
        const got = ids.map((id) => {
          const { divisionPrice = null, priceList = null } = found.get(id) ?? {}
          return [id, divisionPrice === null ? null : Number(divisionPrice), priceList]
        })
        expect([round, asked, got]).toEqual([round, asked, expected])
      }
    }
    expect(cases).toBe(10_000)
    // Neither nearly all nor nearly none.
    expect(listed).toBeGreaterThan(2_000)
    expect(listed).toBeLessThan(8_000)
  })

  test('is that of baskets, what was put aside, and quotations', async () => {
    const world = await makeWorld(8)
    const cents = (amount: number): string => (amount / 100).toFixed(2)
    for (const hour of [1, 4]) {
      clock.advance(timeOf(hour).getTime() - clock.now().getTime())
      for (const division of [...world.parents.keys()].slice(-3)) {
        const someone = await buyer(division)
        for (const { remoteId } of world.products) {
          await must(someone.call('POST', '/api/v1/basket/', { product_remote_id: remoteId, division, quantity: 1 }))
        }
        const expected = world.products.map((product) => {
          const best = bestOf(world, product, { division, hour })
          return {
            product_remote_id: product.remoteId,
            list_price: cents(product.price),
            price: cents(best?.price ?? product.price),
            price_list: best === undefined ? null : { id: best.id, name: best.name },
          }
        })
        const sum = expected.reduce((total, { price }) => total + Math.round(Number(price) * 100), 0)
        const basket = await must(someone.call('GET', '/api/v1/basket/'))
        expect(basket).toMatchObject({ basket_items: expected, total_amount: cents(sum) })
        await must(someone.call('POST', '/api/v1/basket/save/', { name: 'Aside' }))
        const [draft] = await must(someone.call('GET', '/api/v1/basket/drafts/'))
        expect(Number(draft.total_amount)).toBe(sum / 100)
        await must(someone.call('POST', `/api/v1/basket/${draft.id}/load/`))
        const quotation = await must(someone.call('POST', '/api/v1/my-quotations/', { name: 'Order' }))
        expect(quotation).toMatchObject({ items: expected, total_amount: cents(sum) })
      }
    }
  })

  test('is one of before or after a change that comes meanwhile, and never a mix', async () => {
    const division = await quotations.division()
    const someone = await buyer(division)
    const { erp_code: erpCode } = await must(app.call('GET', `/api/v1/divisions/${division}/`))
    const products = [await quotations.product({ price: 10_000 }), await quotations.product({ price: 10_000 })]
    const load = (price: number) =>
      app.app.inject({
        method: 'POST',
        url: '/api/v1/prices/import/',
        headers: { authorization: app.superuser.authorization, 'content-type': 'text/csv' },
        payload: [
          'product_remote_id,erp_code,name,price,valid_from',
          ...products.map((product) => `${product},${erpCode},Daily,${price},2026-01-01`),
        ].join('\n'),
      })
    expect((await load(90)).json()).toMatchObject({ created: 2 })
    for (const price of [80, 70, 60, 50, 40, 30, 20, 10]) {
      for (const product of products) {
        await must(someone.call('PUT', '/api/v1/basket/', { product_remote_id: product, division, quantity: 1 }))
      }
      const asked = must(someone.call('POST', '/api/v1/my-quotations/', { name: 'Order' }))
      const [quotation, loaded] = await Promise.all([asked, load(price)])
      expect(loaded.json()).toMatchObject({ updated: 2 })
      const prices = quotation.items.map((item: { price: string }) => Number(item.price))
      expect([
        [price, price],
        [price + 10, price + 10],
      ]).toContainEqual(prices)
    }
  })
})
