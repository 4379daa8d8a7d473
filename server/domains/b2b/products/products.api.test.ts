import { describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { productsByIds, productsByRemoteIds } from './store.ts'

interface Record {
  readonly id: number
  readonly remote_id: number | string
  readonly price: string
}

const clock = makeFakeClock()
const app = await makeTestApp({ clock })
const { call, database } = app
const { person, authorization } = makePeople(app)
const path = '/api/v1/products/'
let made = 0
const body = (fields: object = {}) => {
  made += 1
  return { remote_id: `P-${made}`, name: 'Chair', price: '49.90', currency: 'EUR', ...fields }
}
const make = async (fields: object = {}): Promise<Record> => {
  const answer = await call('POST', path, body(fields))
  expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)])
  return answer.json()
}
const patch = (id: number, changes: object) => call('PATCH', `${path}${id}/`, changes)
const problem = async (answer: ReturnType<typeof call>) => {
  const { statusCode, json } = await answer
  return [statusCode, Object.keys(json<object>())]
}

describe('making a product', () => {
  test('answers it, and where it is', async () => {
    const answer = await call('POST', path, { remote_id: '4711', name: 'Oak chair', price: '49.9', currency: 'EUR' })
    const product = answer.json<Record>()
    expect([answer.statusCode, product]).toEqual([
      201,
      {
        id: expect.any(Number),
        remote_id: 4711,
        sku: '4711',
        name: 'Oak chair',
        price: '49.90',
        currency: 'EUR',
        base_code: '',
        category: '',
        image: '',
        attributes: {},
        is_active: true,
        created_date: clock.now().toISOString(),
        modified_date: clock.now().toISOString(),
      },
    ])
    expect(new URL(answer.headers['location'] ?? '').pathname).toBe(`${path}${product.id}/`)
    expect((await call('GET', `${path}${product.id}`)).json()).toEqual(product)
  })

  test.each([
    ['EUR', '0', '0.00'],
    ['EUR', 0, '0.00'],
    ['EUR', 0.1, '0.10'],
    ['EUR', 1.15, '1.15'],
    ['EUR', '90071992547409.91', '90071992547409.91'],
    ['EUR', 9999999999999.99, '9999999999999.99'],
    ['JPY', '1250', '1250'],
    ['JPY', 1250, '1250'],
    ['KWD', '1.005', '1.005'],
  ])('keeps a price in %s exactly: %j', async (currency, price, shown) => {
    const { id } = await make({ currency, price })
    expect((await call('GET', `${path}${id}/`)).json()).toMatchObject({ price: shown, currency })
  })

  test.each([
    [{ price: '1.234' }, 'price'],
    [{ price: 1.234 }, 'price'],
    [{ price: '1.0', currency: 'JPY' }, 'price'],
    [{ price: '-1' }, 'price'],
    [{ price: -1 }, 'price'],
    [{ price: '1e3' }, 'price'],
    [{ price: 1e21 }, 'price'],
    [{ price: 90071992547409.91 }, 'price'],
    [{ price: '90071992547409.92' }, 'price'],
    [{ price: '1,50' }, 'price'],
    [{ price: '' }, 'price'],
    [{ price: null }, 'price'],
    [{ currency: 'EURO' }, 'currency'],
    [{ currency: 'eur' }, 'currency'],
    [{ currency: 'XQZ' }, 'currency'],
    [{ remote_id: '' }, 'remote_id'],
    [{ remote_id: ' ' }, 'remote_id'],
    [{ remote_id: 7.5 }, 'remote_id'],
    [{ remote_id: -7 }, 'remote_id'],
    [{ remote_id: 2 ** 53 }, 'remote_id'],
    [{ sku: '' }, 'sku'],
    [{ sku: 7 }, 'sku'],
    [{ base_code: 'x'.repeat(256) }, 'base_code'],
    [{ category: null }, 'category'],
    [{ image: 'javascript:alert(1)' }, 'image'],
    [{ image: 'https://shop.example/a b.jpg' }, 'image'],
    [{ attributes: [] }, 'attributes'],
    [{ attributes: 'red' }, 'attributes'],
    [{ attributes: { text: 'ş'.repeat(8_192) } }, 'attributes'],
    [{ remote_id: 'x'.repeat(256) }, 'remote_id'],
    [{ name: 'x\u0000' }, 'name'],
    [{ is_active: 1 }, 'is_active'],
    [{ colour: 'red' }, 'colour'],
  ])('refuses %j', async (fields, field) => {
    expect(await problem(call('POST', path, body(fields)))).toEqual([400, [field]])
  })

  test('says how the address of an image begins', async () => {
    const answer = await call('POST', path, body({ image: 'ftp://shop.example/a.jpg' }))
    expect(answer.json()).toEqual({
      image: ['Expected an address that begins with http:// or https://, without spaces.'],
    })
  })

  test('of several at once with one remote id one is made', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => call('POST', path, body({ remote_id: 'TWICE' }))))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 400, 400])
  })
})

describe('what a product looks like', () => {
  const looks = {
    base_code: 'CHAIRS',
    category: 'Seats',
    image: 'https://shop.example/şemsiye.jpg?size=2',
    attributes: { wood: 'oak', sizes: [38, 39], 'nested key': { deep: null } },
  }

  test('is kept as it was sent, changed and taken away', async () => {
    const product = await make({ remote_id: 1009, sku: 'OAK-1', ...looks })
    expect(product).toMatchObject({ remote_id: 1009, sku: 'OAK-1', ...looks })
    clock.advance(1000)
    expect((await patch(product.id, { attributes: { ...looks.attributes } })).json()).toEqual(product)
    expect((await patch(product.id, { attributes: { wood: 'elm' } })).json()).toMatchObject({
      ...looks,
      attributes: { wood: 'elm' },
    })
    const none = { base_code: '', category: '', image: '', attributes: {} }
    expect((await patch(product.id, none)).json()).toMatchObject(none)
  })

  test('stays within 16 KiB of attributes', async () => {
    const attributes = { text: 'x'.repeat(16_384 - '{"text":""}'.length) }
    expect(await make({ attributes })).toMatchObject({ attributes })
  })

  test('finds it', async () => {
    const { id } = await make({ sku: 'FIND-ME', category: 'Findings', name: 'İnce IŞIKLI şamdan' })
    const ids = async (query: string) =>
      (await call('GET', `${path}?${query}`)).json<{ results: Record[] }>().results.map((product) => product.id)
    expect(await ids('sku=FIND-ME')).toEqual([id])
    expect(await ids('category=Findings')).toEqual([id])
    for (const found of ['find-me', 'şamdan ince', 'ŞAMDAN İNCE', 'ışıklı', 'IŞIK find', 'ndi nc me']) {
      expect([found, await ids(`q=${encodeURIComponent(found)}`)]).toEqual([found, [id]])
    }
    for (const lost of ['find-me chair-', 'find%me', 'ince_ışıklı']) {
      expect([lost, await ids(`q=${encodeURIComponent(lost)}`)]).toEqual([lost, []])
    }
    expect(await ids('q=%20&sku=FIND-ME')).toEqual([id])
  })
})

describe('the sku', () => {
  const taken = { sku: ['Another product has this sku.'] }

  test('is the remote id where nobody said another, and stays when that changes', async () => {
    const { id } = await make({ remote_id: 'OLD' })
    expect((await patch(id, { remote_id: 'NEW' })).json()).toMatchObject({ remote_id: 'NEW', sku: 'OLD' })
  })

  test('is of one product alone, also of two at once', async () => {
    const [one, two] = [await make({ sku: 'ONE' }), await make({ sku: 'TWO' })]
    for (const answer of [
      await call('POST', path, body({ sku: 'ONE' })),
      await call('POST', path, body({ remote_id: 'ONE' })),
      await patch(two.id, { sku: 'ONE' }),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([400, taken])
    }
    const answers = await Promise.all([one, two].map(({ id }) => patch(id, { sku: 'SAME-SKU' })))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 400])
    expect(await problem(call('POST', path, body({ remote_id: one.remote_id, sku: 'SAME-SKU' })))).toEqual([
      400,
      ['remote_id'],
    ])
  })
})

describe('changing a product', () => {
  test('sets what was sent, and takes back what was read', async () => {
    const product = await make()
    clock.advance(1000)
    const answer = await patch(product.id, { price: 44.5, is_active: false, name: 'Stool' })
    const expected = {
      ...product,
      price: '44.50',
      is_active: false,
      name: 'Stool',
      modified_date: clock.now().toISOString(),
    }
    expect([answer.statusCode, answer.json()]).toEqual([200, expected])
    clock.advance(1000)
    expect((await patch(product.id, expected)).json()).toEqual(expected)
    expect((await patch(product.id, {})).json()).toEqual(expected)
  })

  test('keeps the number of the price in another currency, where that has the decimals', async () => {
    const { id } = await make({ price: '12.50' })
    expect((await patch(id, { currency: 'KWD' })).json()).toMatchObject({ price: '12.500', currency: 'KWD' })
    expect(await problem(patch(id, { currency: 'JPY' }))).toEqual([400, ['price']])
    expect((await patch(id, { price: '1200.000' })).json()).toMatchObject({ price: '1200.000' })
    expect((await patch(id, { currency: 'JPY' })).json()).toMatchObject({ price: '1200', currency: 'JPY' })
    expect((await patch(id, { currency: 'EUR', price: '9.99' })).json()).toMatchObject({ price: '9.99' })
    expect(await problem(patch(id, { currency: 'XQZ' }))).toEqual([400, ['currency']])
  })

  test('refuses the remote id of another one, also the one of two that comes second', async () => {
    const [one, two, three] = [await make(), await make(), await make()]
    expect(await problem(patch(two.id, { remote_id: one.remote_id }))).toEqual([400, ['remote_id']])
    const answers = await Promise.all([two, three].map(({ id }) => patch(id, { remote_id: 'SAME' })))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 400])
  })

  test('of one that does not exist is 404, and none can be deleted', async () => {
    expect((await patch(999_999, { name: 'x' })).statusCode).toBe(404)
    expect((await call('GET', `${path}x/`)).statusCode).toBe(404)
    const { id } = await make()
    const answer = await call('DELETE', `${path}${id}/`)
    expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'GET, HEAD, PATCH'])
  })
})

test('other slices find products by id and by remote id', async () => {
  const [one, two] = [await make({ price: '1.50' }), await make({ is_active: false })]
  const byId = await productsByIds(database.db, [one.id, two.id, 999_999])
  expect([...byId.keys()].toSorted((a, b) => a - b)).toEqual([one.id, two.id])
  expect(byId.get(one.id)).toMatchObject({ remoteId: one.remote_id, price: 150n, isActive: true })
  const byRemoteId = await productsByRemoteIds(database.db, [String(two.remote_id), 'nothing'])
  expect([...byRemoteId].map(([key, { id, isActive }]) => [key, id, isActive])).toEqual([
    [two.remote_id, two.id, false],
  ])
  expect((await productsByIds(database.db, [])).size).toBe(0)
})

test('only staff see and change products', async () => {
  const { id } = await make()
  const buyer = await authorization(await person())
  const staff = await authorization(await person({ is_staff: true }))
  for (const [headers, get, post] of [
    [buyer, 403, 403],
    [staff, 200, 201],
    [{ authorization: '' }, 401, 401],
  ] as const) {
    expect((await call('GET', path, undefined, headers)).statusCode).toBe(get)
    expect((await call('GET', `${path}${id}/`, undefined, headers)).statusCode).toBe(get)
    expect((await call('POST', path, body(), headers)).statusCode).toBe(post)
    expect((await call('PATCH', `${path}${id}/`, {}, headers)).statusCode).toBe(get)
  }
})
