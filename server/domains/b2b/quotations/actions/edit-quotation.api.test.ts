import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { makeQuotationWorld } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const app = await makeTestApp()
const { call, database } = app
const world = await makeQuotationWorld(app)
const { owner, mainBuyer, main, branch, chair, admin, ask, must } = world

const read = async (id: number) => must(call('GET', `/api/v1/quotations/${id}/`))
const patch = (id: number, body: object, headers = {}) => call('PATCH', `/api/v1/quotations/${id}/`, body, headers)
const post = (id: number, rest: string, body: object, headers = {}) =>
  call('POST', `/api/v1/quotations/${id}/${rest}/`, body, headers)
const typesOf = async (id: number): Promise<string[]> => {
  const rows = await database.db
    .selectFrom('events')
    .select('type')
    .where('objectType', '=', 'quotation')
    .where('objectId', '=', String(id))
    .orderBy('sequence')
    .execute()
  return rows.map(({ type }) => type)
}
const draft = async () => {
  const { id } = await ask(mainBuyer, main)
  return admin(id, 'set-as-draft')
}

describe('a draft is edited', () => {
  test('a draft that is edited is priced again', async () => {
    const { id, items } = await draft()
    const lamp = await world.product({ price: 1_250 })
    const added = await post(id, 'products', {
      product_remote_id: lamp,
      divisions: [
        { id: branch, quantity: 4 },
        { id: main, quantity: 6 },
      ],
    })
    expect(added.json()).toMatchObject({ total_amount: '425.00', version: 3 })
    await must(post(id, 'discounts', { discount_type: 'percentage', value: '12.5', item: items[0].id }))
    await must(post(id, 'discounts', { discount_type: 'fixed', value: 20 }))
    const changed = await must(
      patch(id, { name: 'Better', items: [{ id: items[0].id, price: '99.99', quantity: 10 }] }),
    )
    expect(changed).toMatchObject({
      name: 'Better',
      // 999.90 + 125.00
      total_amount: '1124.90',
      // 999.90 less 12.5 % (124.99) and 125.00, together less 20.00
      net_amount: '979.91',
      discounts: [
        { item: items[0].id, discount_type: 'percentage', value: '12.5', amount: '124.99' },
        { item: null, discount_type: 'fixed', value: '20.00', amount: '20.00' },
      ],
    })
    const nets = changed.items.map((item: { net_amount: string }) => Number(item.net_amount.replace('.', '')))
    expect(nets[0] + nets[1]).toBe(97_991)
    expect(await read(id)).toEqual(changed)

    await must(patch(id, { items: [{ id: items[0].id, price: null }] }))
    await must(call('DELETE', `/api/v1/quotations/${id}/discounts/${changed.discounts[1].id}/`))
    const left = await must(call('DELETE', `/api/v1/quotations/${id}/products/${items[0].id}/`))
    expect(left).toMatchObject({ total_amount: '125.00', net_amount: '125.00', discounts: [] })
    for (const rest of ['products/999999', `discounts/${changed.discounts[1].id}`]) {
      expect((await call('DELETE', `/api/v1/quotations/${id}/${rest}/`)).statusCode).toBe(404)
    }
  })

  test('an edit that makes no sense is refused, and its fields are named', async () => {
    const { id, items } = await draft()
    const item = items[0].id
    const other = await world.division()
    const share = (quantity: unknown) => ({ product_remote_id: chair, divisions: [{ id: main, quantity }] })
    const edit = (fields: object) => ({ items: [{ id: item, ...fields }] })
    const discount = (value: unknown, type = 'percentage') => ({ discount_type: type, value })
    const bad: readonly (readonly [string, object, string])[] = [
      ['', edit({ quantity: 0 }), 'items.0.quantity'],
      ['', edit({ quantity: -1 }), 'items.0.quantity'],
      ['', edit({ quantity: 1.5 }), 'items.0.quantity'],
      ['', edit({ quantity: 1_000_000_001 }), 'items.0.quantity'],
      ['', edit({ quantity: '3' }), 'items.0.quantity'],
      ['', edit({ quantity: 3, divisions: [{ id: main, quantity: 2 }] }), 'items.0.quantity'],
      ['', edit({ divisions: [{ id: other, quantity: 2 }] }), 'items.0.divisions.0.id'],
      ['', edit({ divisions: [1, 2].map((quantity) => ({ id: main, quantity })) }), 'items.0.divisions.1.id'],
      ['', edit({ price: '1.234' }), 'items.0.price'],
      ['', edit({ price: '-1' }), 'items.0.price'],
      ['', edit({ price: '1e3' }), 'items.0.price'],
      ['', { items: [{ id: 999_999, price: '1' }] }, 'items.0.id'],
      ['', { items: [edit({}).items[0], edit({}).items[0]] }, 'items.1.id'],
      ['', { name: '' }, 'name'],
      ['', { name: 'x'.repeat(256) }, 'name'],
      ['', { expires_at: '2026-11-21T09:30:00Z' }, 'expires_at'],
      ['', { expires_at: 'soon' }, 'expires_at'],
      ['', { assignee: owner.id }, 'assignee'],
      ['', { colour: 'red' }, 'colour'],
      ['products/', share(0), 'divisions.0.quantity'],
      ['products/', share(1_000_001), 'divisions.0.quantity'],
      ['products/', share(1), 'product_remote_id'],
      ['products/', { ...share(1), product_remote_id: 'none' }, 'product_remote_id'],
      ['discounts/', discount('100.0001'), 'value'],
      ['discounts/', discount('0'), 'value'],
      ['discounts/', discount('1.00001'), 'value'],
      ['discounts/', discount('0', 'fixed'), 'value'],
      ['discounts/', discount('1.005', 'fixed'), 'value'],
      ['discounts/', discount('1', 'half'), 'discount_type'],
      ['discounts/', { ...discount('1'), item: 999_999 }, 'item'],
    ]
    for (const [rest, body, field] of bad) {
      const answer = await call(rest === '' ? 'PATCH' : 'POST', `/api/v1/quotations/${id}/${rest}`, body)
      expect([body, answer.statusCode, Object.keys(answer.json())]).toEqual([body, 400, [field]])
    }
    expect(await read(id)).toMatchObject({ version: 2, total_amount: '300.00' })
  })

  test('a quotation of more than can be counted is refused', async () => {
    const { id, items } = await draft()
    const answer = await patch(id, { items: [{ id: items[0].id, price: '90000000000000', quantity: 1_000_000 }] })
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'quotation_too_large'])
  })
})

describe('a draft is for no more than a basket holds', () => {
  const most = 20_000
  /** A draft of one product, for so many divisions. */
  const spread = async (divisions: number) => {
    const made = await draft()
    const shares = Array.from({ length: divisions }, (_, index) => ({ id: 1_000_000 + index, quantity: 1 }))
    await sql`
      update quotation_items set divisions = ${JSON.stringify(shares)}, quantity = ${divisions}
      where quotation_id = ${made.id}`.execute(database.db)
    return { id: made.id, item: made.items[0].id }
  }
  const product = async () => ({
    product_remote_id: await world.product(),
    divisions: [branch, main].map((id) => ({ id, quantity: 1 })),
  })

  test('a full quotation takes no more products or divisions', async () => {
    const { id, item } = await spread(most - 2)
    const { items, allowed_actions: allowed } = await must(post(id, 'products', await product()))
    const full = { code: 'quotation_full', allowed_actions: allowed }
    const grown = await post(id, 'products', await product())
    expect([grown.statusCode, grown.json()]).toMatchObject([400, full])
    const share = { id: branch, quantity: 1 }
    await must(patch(id, { items: [{ id: items[1].id, divisions: [share] }] }))
    const other = await must(post(id, 'products', { ...(await product()), divisions: [share] }))
    const shares = [share, { id: main, quantity: 1 }]
    const wider = await patch(id, { items: [{ id: other.items[2].id, divisions: shares }] })
    expect([wider.statusCode, wider.json()]).toMatchObject([400, full])
    expect((await call('DELETE', `/api/v1/quotations/${id}/products/${item}/`)).statusCode).toBe(200)
  })
})

describe('of changes of one version one wins', () => {
  test('the others are told that it was changed', async () => {
    const { id } = await draft()
    const answer = await call('GET', `/api/v1/quotations/${id}/`)
    const match = { 'if-match': String(answer.headers.etag) }
    expect((await patch(id, { name: 'First' }, match)).headers.etag).toBe('"3"')
    const stale = await patch(id, { name: 'Second' }, match)
    expect([stale.statusCode, Object.keys(stale.json())]).toEqual([412, ['detail']])
    expect((await post(id, 'approve', {}, match)).statusCode).toBe(412)
    expect((await patch(id, { name: 'Third' }, { 'if-match': '"9", "3"' })).statusCode).toBe(200)
    expect((await patch(id, { name: 'Third' }, { 'if-match': 'W/"4"' })).statusCode).toBe(412)
  })

  test('of twenty changes at once one wins', async () => {
    const { id } = await ask(mainBuyer, main)
    const answers = await Promise.all(
      Array.from({ length: 10 }).flatMap(() => [
        mainBuyer.call('POST', `/api/v1/my-quotations/${id}/cancel/`),
        call('POST', `/api/v1/quotations/${id}/reject/`),
      ]),
    )
    const won = answers.filter(({ statusCode }) => statusCode === 200)
    expect([won.length, answers.filter(({ statusCode }) => statusCode === 400).length]).toEqual([1, 19])
    const after = await read(id)
    expect(after).toMatchObject({ status: won[0]?.json().status, version: 2 })
    expect(await typesOf(id)).toEqual([
      'quotation.created',
      'quotation.status.pending',
      `quotation.status.${after.status}`,
    ])
  })
})
