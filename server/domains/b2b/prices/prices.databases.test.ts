import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { dayMs } from '#platform/clock.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeQuotationWorld, type WireQuotation } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock(new Date('2026-11-21T09:30:00.000Z'))
const app = await makeTestApp({ clock })
const { call, database } = app
const world = await makeQuotationWorld(app)
const { main, branch, owner, mainBuyer, staff, admin, mine, must, ask, product, division, buyer } = world

const path = '/api/v1/prices/'
const make = (fields: object): Promise<WireQuotation> =>
  must(call('POST', path, { division: branch, name: 'Summer 2026', price: '40', ...fields }))
const problem = async (answer: ReturnType<typeof call>) => {
  const { statusCode, json } = await answer
  return [statusCode, json<object>()]
}
const put = (who: Pick<typeof owner, 'call'>, remoteId: string, forDivision: number, quantity = 1) =>
  must(who.call('PUT', '/api/v1/basket/', { product_remote_id: remoteId, division: forDivision, quantity }))
/** What somebody pays for a product at the moment. */
const paid = async (who: Pick<typeof owner, 'call'>, remoteId: string, forDivision: number) => {
  const { basket_items: items } = await put(who, remoteId, forDivision)
  const item = items.find(({ product_remote_id: id }: { product_remote_id: number }) => String(id) === remoteId)
  await must(who.call('DELETE', '/api/v1/basket/', { product_remote_id: remoteId }))
  return [item.list_price, item.price, item.price_list?.name ?? null]
}

describe('a price', () => {
  test('is made, read, changed and deleted', async () => {
    const chair = await product({ price: 5_000 })
    const body = {
      division: branch,
      covers: 'tree',
      product_remote_id: Number(chair),
      name: 'Summer 2026',
      price: 44.9,
      valid_from: '2026-06-01T00:00:00+02:00',
      valid_to: '2026-08-31',
    }
    const answer = await call('POST', path, body)
    const made = answer.json()
    const now = clock.now().toISOString()
    expect([answer.statusCode, made]).toEqual([
      201,
      {
        ...body,
        id: expect.any(Number),
        division_name: expect.stringContaining('Division'),
        product: expect.any(Number),
        product_name: expect.stringContaining('Product'),
        price: '44.90',
        currency: 'EUR',
        list_price: '50.00',
        list_currency: 'EUR',
        valid_from: '2026-05-31T22:00:00.000Z',
        // To the end of that day.
        valid_to: '2026-09-01T00:00:00.000Z',
        created_date: now,
        modified_date: now,
      },
    ])
    const one = new URL(answer.headers['location'] ?? '').pathname
    expect(await must(call('GET', one))).toEqual(made)
    clock.advance(1_000)
    // What was read can be sent back.
    expect(await must(call('PATCH', one, made))).toEqual(made)
    expect(await must(call('PATCH', one, { price: '39', valid_to: null, covers: 'division', division: main }))).toEqual(
      {
        ...made,
        division: main,
        division_name: expect.any(String),
        covers: 'division',
        price: '39.00',
        valid_to: null,
        modified_date: clock.now().toISOString(),
      },
    )
    expect((await call('DELETE', one)).statusCode).toBe(204)
    for (const method of ['GET', 'PATCH', 'DELETE'] as const)
      expect((await call(method, one, method === 'PATCH' ? {} : undefined)).statusCode).toBe(404)
  })

  test('is for the division alone, from now on and without end, unless it says otherwise', async () => {
    expect(await make({ product_remote_id: await product({ price: 5_000 }) })).toMatchObject({
      covers: 'division',
      valid_from: clock.now().toISOString(),
      valid_to: null,
    })
  })

  test('is refused by field', async () => {
    const chair = await product({ price: 5_000 })
    const right = { division: branch, product_remote_id: chair, name: 'Autumn', price: '40', valid_from: '2026-10-01' }
    const { id } = await must(call('POST', path, right))
    const cases: readonly (readonly [object, string])[] = [
      [{ product_remote_id: 'none', division: 987_654 }, 'product_remote_id'],
      [{ product_remote_id: 'none', division: 987_654 }, 'division'],
      [{ covers: 'all' }, 'covers'],
      [{ name: ' ' }, 'name'],
      [{ price: '-1' }, 'price'],
      [{ price: '1.234' }, 'price'],
      [{ valid_from: 'tomorrow' }, 'valid_from'],
      [{ valid_from: '2026-02-30' }, 'valid_from'],
      [{ valid_to: '2026-09-30' }, 'valid_to'],
      [{ valid_to: '2026-10-01T00:00:00Z' }, 'valid_to'],
      [{}, 'valid_from'],
      [{ currency: 'EUR', note: 'x' }, 'note'],
    ]
    for (const [fields, field] of cases) {
      const [status, answer] = await problem(call('POST', path, { ...right, ...fields }))
      expect([fields, status, Object.keys(answer as object)]).toEqual([fields, 400, expect.arrayContaining([field])])
    }
    const other = await must(call('POST', path, { ...right, name: 'Winter' }))
    const twice = [400, { valid_from: [expect.stringContaining('already')] }]
    expect(await problem(call('PATCH', `${path}${other.id}/`, { name: 'Autumn' }))).toEqual(twice)
    const patches = [
      { division: 987_654 },
      { price: 'x' },
      { valid_from: '2027-01-01', valid_to: '2026-12-31' },
      { valid_to: 'x' },
    ]
    for (const changes of patches) expect((await call('PATCH', `${path}${id}/`, changes)).statusCode).toBe(400)
    expect(await must(call('GET', `${path}${id}/`))).toMatchObject({ name: 'Autumn', price: '40.00' })
  })

  test('is for staff', async () => {
    const { id } = await make({ product_remote_id: await product({ price: 5_000 }) })
    expect((await staff.call('GET', path)).statusCode).toBe(200)
    expect((await staff.call('PATCH', `${path}${id}/`, { price: '41' })).statusCode).toBe(200)
    expect((await owner.call('GET', path)).statusCode).toBe(403)
    expect((await owner.call('PATCH', `${path}${id}/`, { price: '1' })).statusCode).toBe(403)
    expect((await owner.call('POST', path, {})).statusCode).toBe(403)
  })
})

describe('the price that a buyer pays', () => {
  test('is that of their own division, and what is for the tree of one above it', async () => {
    const chair = await product({ price: 5_000 })
    await make({ product_remote_id: chair, division: main, name: 'Head office', price: '30' })
    expect(await paid(owner, chair, branch)).toEqual(['50.00', '50.00', null])
    // Also for pieces that are for a branch.
    expect(await paid(mainBuyer, chair, branch)).toEqual(['50.00', '30.00', 'Head office'])
    await make({ product_remote_id: chair, division: main, covers: 'tree', name: 'Group', price: '45' })
    expect(await paid(owner, chair, branch)).toEqual(['50.00', '45.00', 'Group'])
    expect(await paid(mainBuyer, chair, branch)).toEqual(['50.00', '30.00', 'Head office'])
    const below = await division({ parent: branch })
    const ofBelow = await buyer(below)
    await make({ product_remote_id: chair, division: branch, covers: 'tree', name: 'North', price: '44' })
    expect(await paid(ofBelow, chair, below)).toEqual(['50.00', '44.00', 'North'])
    // As the tree is now.
    await must(call('PATCH', `/api/v1/divisions/${below}/`, { parent: main }))
    expect(await paid(ofBelow, chair, below)).toEqual(['50.00', '45.00', 'Group'])
  })

  test('is the list price where that is as low', async () => {
    const chair = await product({ price: 5_000 })
    const { id } = await make({ product_remote_id: chair, price: '50' })
    expect(await paid(owner, chair, branch)).toEqual(['50.00', '50.00', null])
    await must(call('PATCH', `${path}${id}/`, { price: '60' }))
    expect(await paid(owner, chair, branch)).toEqual(['50.00', '50.00', null])
    await must(call('PATCH', `${path}${id}/`, { price: '0' }))
    expect(await paid(owner, chair, branch)).toEqual(['50.00', '0.00', 'Summer 2026'])
  })

  test('holds from its first moment to its end, without that', async () => {
    const chair = await product({ price: 5_000 })
    const start = clock.now().getTime() + dayMs
    const at = (moment: number) => new Date(moment).toISOString()
    await make({ product_remote_id: chair, valid_from: at(start), valid_to: at(start + dayMs) })
    const seen = []
    for (const moment of [start - 1, start, start + dayMs - 1, start + dayMs]) {
      clock.advance(moment - clock.now().getTime())
      seen.push((await paid(owner, chair, branch))[1])
    }
    expect(seen).toEqual(['50.00', '40.00', '40.00', '50.00'])
  })

  test('is of the currency of the product', async () => {
    const chair = await product({ price: 5_000 })
    const { id, product: productId } = await make({ product_remote_id: chair })
    await must(call('PATCH', `/api/v1/products/${productId}/`, { currency: 'USD' }))
    expect(await paid(owner, chair, branch)).toEqual(['50.00', '50.00', null])
    expect(await must(call('GET', `${path}${id}/`))).toMatchObject({ price: '40.00', currency: 'EUR' })
    expect(await must(call('PATCH', `${path}${id}/`, { price: '45' }))).toMatchObject({ currency: 'USD' })
    expect(await paid(owner, chair, branch)).toEqual(['50.00', '45.00', 'Summer 2026'])
  })

  test('decides whether a quotation comes to the least amount', async () => {
    const chair = await product({ price: 5_000 })
    await make({ product_remote_id: chair })
    await must(call('PATCH', '/api/v1/settings/', { QUOTATION_MINIMUM_AMOUNT: '50' }))
    await put(owner, chair, branch)
    expect((await owner.call('POST', '/api/v1/my-quotations/', { name: 'Order' })).json()).toMatchObject({
      code: 'under_minimum',
    })
    await must(call('PATCH', '/api/v1/settings/', { QUOTATION_MINIMUM_AMOUNT: '0' }))
    await must(owner.call('DELETE', '/api/v1/basket/', { product_remote_id: chair }))
  })
})

describe('a quotation', () => {
  const listed = async () => {
    const chair = await product({ price: 5_000 })
    const price = await make({ product_remote_id: chair })
    const made = await ask(owner, branch, { [chair]: 2 })
    return { chair, price, made, priceList: { id: price.id, name: 'Summer 2026' } }
  }
  const itemOf = async (id: number) => (await must(call('GET', `/api/v1/quotations/${id}/`))).items[0]

  test('keeps the price that it was made with, and its list as it was called', async () => {
    const { chair, price, made, priceList } = await listed()
    const [item] = made.items
    expect(item).toMatchObject({ list_price: '50.00', price: '40.00', total_amount: '80.00', price_list: priceList })
    await must(call('PATCH', `${path}${price.id}/`, { price: '10', name: 'Sale' }))
    await must(call('PATCH', `/api/v1/products/${price.product}/`, { price: '5' }))
    expect(await itemOf(made.id)).toEqual(item)
    expect((await call('DELETE', `${path}${price.id}/`)).statusCode).toBe(204)
    expect(await itemOf(made.id)).toEqual(item)
    // A basket of it has the prices of today, and a draft those that it had.
    const basket = await must(owner.call('POST', `/api/v1/my-quotations/${made.id}/duplicate/`))
    expect(basket.basket_items).toMatchObject([{ list_price: '5.00', price: '5.00', price_list: null }])
    await must(owner.call('DELETE', '/api/v1/basket/', { product_remote_id: chair }))
    const copy = await admin(made.id, 'duplicate')
    expect(copy.items).toMatchObject([{ list_price: '50.00', price: '40.00', price_list: priceList }])
  })

  test('returns to that price when no other is agreed on any more, and its revisions say so', async () => {
    const { made, priceList } = await listed()
    const { id } = made.items[0]
    const url = `/api/v1/quotations/${made.id}`
    await mine(mainBuyer, made.id, 'approve-pending-request')
    const agreed = async (price: string | null) => {
      await admin(made.id, 'set-as-draft')
      const { items } = await must(call('PATCH', `${url}/`, { items: [{ id, price }] }))
      await admin(made.id, 'send-approval-request')
      return [items[0].price, items[0].price_list]
    }
    expect(await agreed('45')).toEqual(['45.00', null])
    expect(await agreed(null)).toEqual(['40.00', priceList])
    const revisions = []
    for (const number of [1, 2, 3]) {
      const { terms } = await must(owner.call('GET', `/api/v1/my-quotations/${made.id}/revisions/${number}/`))
      const { items } = terms
      revisions.push([items[0].price, items[0].price_list])
    }
    expect(revisions).toEqual([
      ['40.00', priceList],
      ['45.00', null],
      ['40.00', priceList],
    ])
    const { results } = await must(call('GET', `${url}/audit/?limit=100`))
    const ofItem = (fields: WireQuotation) => fields?.[`item ${id}`]
    const edits = results.filter(({ after }: WireQuotation) => ofItem(after) !== undefined)
    const [one] = edits.filter(({ after }: WireQuotation) => ofItem(after).price === '45.00')
    expect([edits.length, ofItem(one.before), ofItem(one.after)]).toMatchObject([
      2,
      { price: '40.00', price_list: priceList },
      { price: '45.00', price_list: null },
    ])
  })

  test('takes products that are added at the price of its division now', async () => {
    const { made } = await listed()
    const lamp = await product({ price: 2_000 })
    const price = await make({ product_remote_id: lamp, price: '15', valid_to: '2027-12-31' })
    await make({ product_remote_id: lamp, price: '1', division: await division() })
    await mine(mainBuyer, made.id, 'approve-pending-request')
    await admin(made.id, 'set-as-draft')
    const divisions = [{ id: branch, quantity: 1 }]
    const added = await admin(made.id, 'products', { product_remote_id: lamp, divisions })
    expect(added.items[1]).toMatchObject({
      list_price: '20.00',
      price: '15.00',
      price_list: { id: price.id, name: 'Summer 2026' },
    })
    const desk = await product({ price: 9_000 })
    await make({ product_remote_id: desk, price: '80' })
    const agreed = await admin(made.id, 'products', { product_remote_id: desk, divisions, price: '70' })
    expect(agreed.items[2]).toMatchObject({ list_price: '90.00', price: '70.00', price_list: null })
  })
})

describe('a table of prices', () => {
  const header = 'product_remote_id,erp_code,covers,name,price,valid_from,valid_to'
  const load = async (text: string, query = '') => {
    const answer = await app.app.inject({
      method: 'POST',
      url: `${path}import/${query}`,
      headers: { authorization: app.superuser.authorization, 'content-type': 'text/csv' },
      payload: text,
    })
    expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)])
    const { created, updated, unchanged, failed, errors } = answer.json()
    return [[created, updated, unchanged, failed], errors.map(({ row, column }: WireQuotation) => [row, column])]
  }
  const shop = async () => {
    const { erp_code: code } = await must(call('GET', `/api/v1/divisions/${branch}/`))
    return { code, chair: await product({ price: 5_000 }) }
  }
  const pricesOf = async (remoteId: string) => {
    const { results } = await must(call('GET', `${path}?product_remote_id=${remoteId}&ordering=name`))
    return results.map((row: WireQuotation) => [row.covers, row.name, row.price, row.valid_to])
  }

  test('creates and changes, by all but the price and its end', async () => {
    const { code, chair } = await shop()
    const rows = (price: string, to: string) => [
      header,
      `${chair},${code.toLowerCase()},division,Base,41,2026-06-01,`,
      `${chair},${code},tree,Summer,${price},2026-06-01,${to}`,
    ]
    expect(await load(rows('40', '2026-08-31').join('\n'), '?dry_run=true')).toEqual([[2, 0, 0, 0], []])
    expect(await pricesOf(chair)).toEqual([])
    expect(await load(rows('40', '2026-08-31').join('\n'))).toEqual([[2, 0, 0, 0], []])
    expect(await load(rows('40', '2026-08-31').join('\n'))).toEqual([[0, 0, 2, 0], []])
    expect(await load(rows('39.5', '2026-09-30').join('\n'))).toEqual([[0, 1, 1, 0], []])
    expect(await pricesOf(chair)).toEqual([
      ['division', 'Base', '41.00', null],
      ['tree', 'Summer', '39.50', '2026-10-01T00:00:00.000Z'],
    ])
    // Without the columns it is for the division alone, and its end stays.
    const short = `product_remote_id,erp_code,name,price,valid_from,covers\n${chair},${code},Summer,38,2026-06-01,tree`
    expect(await load(short)).toEqual([[0, 1, 0, 0], []])
    expect((await pricesOf(chair))[1]).toEqual(['tree', 'Summer', '38.00', '2026-10-01T00:00:00.000Z'])
  })

  test('is for the very code, where divisions differ in case alone, and may hold to the last day there is', async () => {
    const { chair } = await shop()
    const [small, big] = [await world.division(), await world.division()]
    await sql`update divisions set erp_code = 'ab-1' where id = ${small}`.execute(database.db)
    await sql`update divisions set erp_code = 'AB-1' where id = ${big}`.execute(database.db)
    const rows = ['ab-1', 'AB-1', 'Ab-1'].map(
      (code, n) => `${chair},${code},division,List ${n},40,2026-06-01,9999-12-31`,
    )
    expect(await load([header, ...rows].join('\n'))).toEqual([[3, 0, 0, 0], []])
    const { results } = await must(call('GET', `${path}?product_remote_id=${chair}&ordering=name`))
    const last = '9999-12-31T23:59:59.999Z'
    expect(results.map((row: WireQuotation) => [row.division, row.valid_to])).toEqual([
      [small, last],
      [big, last],
      [small, last],
    ])
  })

  test('says what is wrong by row and column, and writes the others', async () => {
    const { code, chair } = await shop()
    const row = (fields: Partial<Record<string, string>>) => {
      const right = { product: chair, code, covers: 'tree', name: 'S', price: '40', from: '2026-06-01', to: '' }
      return Object.values({ ...right, ...fields }).join(',')
    }
    const table = [
      header,
      row({ product: 'none', code: 'none' }),
      row({ covers: 'all' }),
      row({ price: '1.234' }),
      row({ price: 'x' }),
      row({ from: 'x' }),
      row({ to: '2026-05-31' }),
      row({ to: '31.12.2026' }),
      row({ name: ' ' }),
      row({}),
      row({ code: code.toLowerCase(), price: '41' }),
      row({ from: '2026-07-01' }),
    ]
    expect(await load(table.join('\n'))).toEqual([
      [2, 0, 0, 9],
      [
        [2, 'product_remote_id'],
        [2, 'erp_code'],
        [3, 'covers'],
        [4, 'price'],
        [5, 'price'],
        [6, 'valid_from'],
        [7, 'valid_to'],
        [8, 'valid_to'],
        [9, 'name'],
        [11, 'valid_from'],
      ],
    ])
    expect(await pricesOf(chair)).toHaveLength(2)
  })
})
