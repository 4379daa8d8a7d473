import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { makeBuyers, type Buyer } from '#testing/data/make-buyers.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const testApp = await makeTestApp()
const { app, database } = testApp
const make = makeBuyers(testApp)

const main = await make.division()
const branch = await make.division({ parent: main })
const sleeping = await make.division({ parent: main, isActive: false })
const stranger = await make.division()
const chair = await make.product({ price: 1_250 })
const desk = await make.product({ price: 9_900 })
const dollars = await make.product({ currency: 'USD' })
const gone = await make.product({ isActive: false })

interface BasketBody {
  readonly id: number
  readonly total_amount: string
  readonly total_quantity: number
  readonly basket_items: readonly {
    readonly product_remote_id: number | string
    readonly quantity: number
    readonly divisions: readonly { readonly id: number; readonly quantity: number }[]
  }[]
}

const basketOf = async ({ call }: Buyer): Promise<BasketBody> => (await call('GET', '/api/v1/basket/')).json()
/** Remote id → division → quantity, in order. */
const quantitiesOf = ({ basket_items: items }: BasketBody) =>
  items.map((item) => [String(item.product_remote_id), item.divisions.map(({ id, quantity }) => [id, quantity])])
const put = (
  buyer: Buyer,
  method: 'POST' | 'PUT',
  basketQuantity: readonly [product: string, division: number, pieces: number],
) => {
  const [product, division, quantity] = basketQuantity
  return buyer.call(method, '/api/v1/basket/', { product_remote_id: product, division, quantity })
}
const statusesOf = (answers: readonly { readonly statusCode: number }[]): number[] =>
  answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)

describe('the basket', () => {
  test('adds up what is added of one product for one division', async () => {
    const buyer = await make.buyer(main)
    await put(buyer, 'POST', [chair, branch, 2])
    await put(buyer, 'POST', [desk, main, 1])
    await put(buyer, 'POST', [chair, main, 4])
    const answer = await put(buyer, 'POST', [chair, branch, 3])
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ total_amount: '211.50', total_quantity: 10, currency: 'EUR' })
    const quantities = [
      [
        chair,
        [
          [branch, 5],
          [main, 4],
        ],
      ],
      [desk, [[main, 1]]],
    ]
    expect(quantitiesOf(answer.json())).toEqual(quantities)
    expect(await basketOf(buyer)).toEqual(answer.json())
  })

  test('sets quantities where they stand, and removes with 0', async () => {
    const buyer = await make.buyer(main)
    await put(buyer, 'POST', [chair, main, 2])
    await put(buyer, 'POST', [desk, main, 1])
    expect(quantitiesOf((await put(buyer, 'PUT', [chair, main, 7])).json())).toEqual([
      [chair, [[main, 7]]],
      [desk, [[main, 1]]],
    ])
    expect(quantitiesOf((await put(buyer, 'PUT', [chair, main, 0])).json())).toEqual([[desk, [[main, 1]]]])
    expect((await put(buyer, 'PUT', [chair, main, 0])).statusCode).toBe(200)
    expect(quantitiesOf((await put(buyer, 'PUT', [chair, branch, 3])).json())).toHaveLength(2)
  })

  test('loses a product for all divisions at once', async () => {
    const buyer = await make.buyer(main)
    await put(buyer, 'POST', [chair, main, 2])
    await put(buyer, 'POST', [chair, branch, 2])
    await put(buyer, 'POST', [desk, branch, 2])
    const answer = await buyer.call('DELETE', '/api/v1/basket/', { product_remote_id: Number(chair) })
    expect(answer.statusCode).toBe(200)
    expect(quantitiesOf(answer.json())).toEqual([[desk, [[branch, 2]]]])
    const unknown = await buyer.call('DELETE', '/api/v1/basket/', { product_remote_id: 'nothing' })
    expect([unknown.statusCode, unknown.json()]).toEqual([400, { product_remote_id: ['There is no such product.'] }])
  })

  test('belongs to one user alone', async () => {
    const [one, other] = [await make.buyer(main), await make.buyer(main)]
    await put(one, 'POST', [chair, main, 2])
    expect((await basketOf(other)).basket_items).toEqual([])
    expect((await basketOf(one)).id).not.toBe((await basketOf(other)).id)
  })

  test('adds everything that comes at once', async () => {
    const buyer = await make.buyer(main)
    const answers = await Promise.all(Array.from({ length: 8 }, () => put(buyer, 'POST', [chair, main, 1])))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(quantitiesOf(await basketOf(buyer))).toEqual([[chair, [[main, 8]]]])
  })

  test('adds once for one Idempotency-Key', async () => {
    const buyer = await make.buyer(main)
    const body = { product_remote_id: chair, division: main, quantity: 1 }
    const key = { 'idempotency-key': 'once' }
    await buyer.call('POST', '/api/v1/basket/', body, key)
    // Also when it comes by the other name of the path.
    const again = await buyer.call('POST', '/b2b/basket/', body, key)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect((await basketOf(buyer)).total_quantity).toBe(1)
  })
})

describe('what is refused', () => {
  const missing = ['There is no such product that can be ordered.']
  const strange = ['There is no such division that you can order for.']
  const whole = (least: number) => [`Use a whole number from ${least} to 1,000,000.`]

  test.each([
    ['no quantity', 'POST', { quantity: 0 }, { quantity: whole(1) }],
    ['a negative quantity', 'POST', { quantity: -1 }, { quantity: whole(1) }],
    ['a negative quantity to set', 'PUT', { quantity: '-1' }, { quantity: whole(0) }],
    ['a fraction as a text', 'POST', { quantity: '1.5' }, { quantity: whole(1) }],
    ['a fraction', 'POST', { quantity: 1.5 }, { quantity: ['Expected an integer or a string.'] }],
    ['too much', 'POST', { quantity: 1_000_001 }, { quantity: whole(1) }],
    ['too much to set', 'PUT', { quantity: '1000001' }, { quantity: whole(0) }],
    ['an unknown product', 'POST', { product_remote_id: 'nothing' }, { product_remote_id: missing }],
    ['an inactive product', 'PUT', { product_remote_id: gone }, { product_remote_id: missing }],
    ['an unknown division', 'POST', { division: 999_999 }, { division: strange }],
    ['no division at all', 'POST', { division: 'here' }, { division: strange }],
    ['an inactive division', 'PUT', { division: sleeping }, { division: strange }],
    ['a division of another tree', 'POST', { division: stranger }, { division: strange }],
    ['an unknown field', 'POST', { color: 'red' }, { color: ['Unknown field.'] }],
    [
      'everything at once',
      'POST',
      { product_remote_id: gone, division: '', quantity: 'many' },
      { product_remote_id: missing, division: strange, quantity: whole(1) },
    ],
  ] as const)('%s', async (_, method, fields, errors) => {
    const buyer = await make.buyer(main)
    const body = { product_remote_id: chair, division: main, quantity: 1, ...fields }
    const answer = await buyer.call(method, '/api/v1/basket/', body)
    expect([answer.statusCode, answer.json()]).toEqual([400, errors])
    expect((await basketOf(buyer)).basket_items).toEqual([])
  })

  test('a branch orders for itself alone', async () => {
    const buyer = await make.buyer(branch)
    expect((await put(buyer, 'POST', [chair, branch, 1])).statusCode).toBe(200)
    for (const division of [main, sleeping]) {
      const answer = await put(buyer, 'POST', [chair, division, 1])
      expect([answer.statusCode, answer.json()]).toEqual([400, { division: strange }])
    }
  })

  test('more than a million of one product for one division, also by and by', async () => {
    const buyer = await make.buyer(main)
    await put(buyer, 'POST', [chair, main, 999_999])
    expect((await put(buyer, 'POST', [chair, main, 1])).statusCode).toBe(200)
    const answer = await put(buyer, 'POST', [chair, main, 1])
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ['quantity']])
    expect((await basketOf(buyer)).total_quantity).toBe(1_000_000)
  })

  test('a second currency', async () => {
    const buyer = await make.buyer(main)
    await put(buyer, 'POST', [chair, main, 1])
    for (const method of ['POST', 'PUT'] as const) {
      const answer = await put(buyer, method, [dollars, main, 1])
      expect([answer.statusCode, answer.json()]).toMatchObject([400, { code: 'mixed_currencies' }])
    }
    expect(quantitiesOf(await basketOf(buyer))).toEqual([[chair, [[main, 1]]]])
    await buyer.call('DELETE', '/api/v1/basket/', { product_remote_id: chair })
    expect((await put(buyer, 'POST', [dollars, main, 1])).json()).toMatchObject({ currency: 'USD' })
  })

  test('a caller without a division, before anything of the request is looked at', async () => {
    const nobody = await make.buyer(null)
    const answers = await Promise.all([
      nobody.call('GET', '/api/v1/basket/'),
      nobody.call('POST', '/b2b/basket/', { quantity: 'wrong' }),
      nobody.call('GET', '/api/v1/basket/drafts/?limit=0'),
      nobody.call('POST', '/api/v1/basket/1/load/', {}),
      testApp.call('GET', '/api/v1/basket/'),
    ])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403, 403])
    expect((await app.inject({ url: '/b2b/basket/' })).statusCode).toBe(401)
  })
})

describe('what was switched off after it was put in', () => {
  test('is shown as such, and can be removed', async () => {
    const buyer = await make.buyer(main)
    const [product, division] = [await make.product(), await make.division({ parent: main })]
    await put(buyer, 'POST', [product, division, 2])
    await sql`update products set is_active = false where remote_id = ${product}`.execute(database.db)
    await sql`update divisions set is_active = false where id = ${division}`.execute(database.db)
    expect(await basketOf(buyer)).toMatchObject({ basket_items: [{ product: { is_active: false } }] })
    expect((await put(buyer, 'PUT', [product, division, 1])).statusCode).toBe(400)
    expect((await put(buyer, 'PUT', [product, division, 0])).json()).toMatchObject({ basket_items: [] })
  })
})

describe('a basket that is put aside', () => {
  const save = (buyer: Buyer, name: string) => buyer.call('POST', '/api/v1/basket/save/', { name })
  const drafts = async (buyer: Buyer) => (await buyer.call('GET', '/api/v1/basket/drafts/')).json()

  test('leaves an empty one, and comes back in its order as often as it is loaded', async () => {
    const buyer = await make.buyer(main)
    await put(buyer, 'POST', [desk, main, 1])
    await put(buyer, 'POST', [chair, branch, 2])
    await put(buyer, 'POST', [chair, main, 3])
    const before = await basketOf(buyer)
    const saved = await save(buyer, 'Spring')
    expect(saved.statusCode).toBe(200)
    expect(saved.json()).toMatchObject({ total_quantity: 0, basket_items: [] })

    await put(buyer, 'POST', [dollars, main, 9])
    const [draft] = await drafts(buyer)
    expect(draft).toMatchObject({ name: 'Spring', total_amount: '161.50', total_quantity: 6, currency: 'EUR' })
    for (const _ of [1, 2]) {
      const loaded = await buyer.call('POST', `/api/v1/basket/${draft.id}/load/`, {})
      expect(loaded.statusCode).toBe(200)
      expect(loaded.json().basket_items).toEqual(before.basket_items)
      await put(buyer, 'POST', [desk, branch, 5])
    }
    expect(await drafts(buyer)).toEqual([draft])
  })

  test('is listed the newest first, all of them, a page at a time when asked for', async () => {
    const buyer = await make.buyer(main)
    const names = Array.from({ length: 12 }, (_, index) => `Draft ${index}`)
    for (const name of names) {
      await put(buyer, 'POST', [chair, main, 1])
      await save(buyer, name)
    }
    const nameOf = ({ name }: { name: string }) => name
    expect((await drafts(buyer)).map(nameOf)).toEqual(names.toReversed())
    const page = await buyer.call('GET', '/api/v1/basket/drafts/?page=2&limit=5')
    expect(page.json().map(nameOf)).toEqual(names.toReversed().slice(5, 10))
    expect(page.headers['x-total-count']).toBe('12')
  })

  test('needs a name and something in it', async () => {
    const buyer = await make.buyer(main)
    expect((await save(buyer, 'Spring')).json()).toMatchObject({ code: 'basket_empty' })
    await put(buyer, 'POST', [chair, main, 1])
    for (const name of ['', '  ', 'x'.repeat(256)]) {
      const answer = await save(buyer, name)
      expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ['name']])
    }
  })

  test('is nobody else’s, and a basket that was not put aside is not one', async () => {
    const [one, other] = [await make.buyer(main), await make.buyer(main)]
    await put(one, 'POST', [chair, main, 1])
    await save(one, 'Mine')
    await put(one, 'POST', [chair, main, 2])
    const [draft] = await drafts(one)
    expect(await drafts(other)).toEqual([])
    const current = await basketOf(one)
    const answers = await Promise.all([
      other.call('POST', `/api/v1/basket/${draft.id}/load/`, {}),
      one.call('POST', `/api/v1/basket/${current.id}/load/`, {}),
      one.call('POST', '/api/v1/basket/999999/load/', {}),
      one.call('POST', '/api/v1/basket/none/load/', {}),
    ])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404])
    expect(await basketOf(one)).toEqual(current)
  })

  test('replaces what its name was given to before', async () => {
    const buyer = await make.buyer(main)
    for (const [name, pieces] of [
      ['Spring', 1],
      ['Autumn', 2],
      ['Spring', 3],
    ] as const) {
      await put(buyer, 'POST', [chair, main, pieces])
      await save(buyer, name)
    }
    expect(await drafts(buyer)).toMatchObject([
      { name: 'Spring', total_quantity: 3 },
      { name: 'Autumn', total_quantity: 2 },
    ])
  })

  test('is one of fifty at most', async () => {
    const buyer = await make.buyer(main)
    await sql`
      insert into baskets (user_id, name, saved_at)
      select ${buyer.id}, 'Draft ' || n, now() from generate_series(1, 50) n`.execute(database.db)
    await put(buyer, 'POST', [chair, main, 1])
    const refused = await save(buyer, 'One more')
    expect([refused.statusCode, refused.json()]).toMatchObject([
      400,
      { code: 'too_many_drafts', non_field_errors: [expect.stringMatching(/50 .*Remove one/)] },
    ])
    expect((await basketOf(buyer)).total_quantity).toBe(1)
    expect((await save(buyer, 'Draft 7')).statusCode).toBe(200)
    expect((await drafts(buyer))[0]).toMatchObject({ name: 'Draft 7', total_quantity: 1 })
    const [draft] = await drafts(buyer)
    expect((await buyer.call('DELETE', `/api/v1/basket/drafts/${draft.id}/`)).statusCode).toBe(204)
    await put(buyer, 'POST', [chair, main, 1])
    expect((await save(buyer, 'One more')).statusCode).toBe(200)
  })

  test('is removed by its user', async () => {
    const [one, other] = [await make.buyer(main), await make.buyer(main)]
    await put(one, 'POST', [chair, main, 1])
    await save(one, 'Mine')
    await put(one, 'POST', [chair, main, 2])
    const current = await basketOf(one)
    const [{ id }] = await drafts(one)
    const remove = async (buyer: Buyer, draft: unknown, prefix = '/api/v1') =>
      (await buyer.call('DELETE', `${prefix}/basket/drafts/${String(draft)}/`)).statusCode
    expect(await remove(other, id)).toBe(404)
    expect(await remove(one, current.id)).toBe(404)
    expect(await remove(one, 'none')).toBe(404)
    expect(await remove(one, id, '/b2b')).toBe(204)
    expect(await remove(one, id)).toBe(404)
    expect(await drafts(one)).toEqual([])
    expect(await basketOf(one)).toEqual(current)
  })

  test('is saved once when that is asked for twice at once', async () => {
    const buyer = await make.buyer(main)
    await put(buyer, 'POST', [chair, main, 1])
    const answers = await Promise.all([save(buyer, 'One'), save(buyer, 'Two')])
    expect(statusesOf(answers)).toEqual([200, 400])
    expect(await drafts(buyer)).toHaveLength(1)
  })
})

describe('the storefront client', () => {
  const json = { 'content-type': 'application/json' }

  test('orders by the paths and with the texts that it sends', async () => {
    const buyer = await make.buyer(main)
    // A GET with a content type and no body.
    const empty = await buyer.call('GET', '/b2b/basket/', undefined, json)
    expect(empty.json()).toMatchObject({ total_amount: '0.00', total_quantity: 0, basket_items: [] })
    const divisions = await buyer.call('GET', '/b2b/my-divisions/')
    expect(divisions.json().results).toContainEqual(expect.objectContaining({ id: branch }))
    const added = await buyer.call('POST', '/b2b/basket/', {
      division: String(branch),
      product_remote_id: chair,
      quantity: '3',
    })
    const [item] = added.json().basket_items
    expect(item).toMatchObject({ product_remote_id: Number(chair), price: '12.50', quantity: 3, total_amount: '37.50' })
    expect(item.divisions).toEqual([
      { id: branch, name: expect.any(String), erp_code: expect.any(String), quantity: 3 },
    ])
    // What it read, sent back.
    const set = { product_remote_id: item.product_remote_id, division: item.divisions[0].id, quantity: 1 }
    expect((await buyer.call('PUT', '/b2b/basket/', set)).json()).toMatchObject({ total_quantity: 1 })

    expect((await buyer.call('POST', '/b2b/basket/save/', { name: 'Later' })).statusCode).toBe(200)
    const [draft] = (await buyer.call('GET', '/b2b/basket/drafts/')).json()
    expect(draft).toMatchObject({ name: 'Later', total_amount: '12.50', total_quantity: 1 })
    const loaded = await buyer.call('POST', `/b2b/basket/${draft.id}/load/`, {})
    expect(loaded.json()).toMatchObject({ total_quantity: 1 })
    const removal = { product_remote_id: item.product_remote_id }
    expect((await buyer.call('DELETE', '/b2b/basket/', removal)).json()).toMatchObject({ basket_items: [] })
  })

  test('gets the errors of the paths that its own stand for', async () => {
    const buyer = await make.buyer(main)
    const patch = await buyer.call('PATCH', '/b2b/basket/', {})
    expect([patch.statusCode, patch.headers.allow]).toEqual([405, 'DELETE, GET, HEAD, POST, PUT'])
    expect((await buyer.call('GET', '/b2b/products/')).statusCode).toBe(404)
    expect((await buyer.call('GET', '/b2b/baskets/')).statusCode).toBe(404)
    expect((await buyer.call('GET', '/b2b/basket?x=1')).statusCode).toBe(200)
  })
})
