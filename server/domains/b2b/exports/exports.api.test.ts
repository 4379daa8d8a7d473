import { parse } from 'csv-parse/sync'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeSupervisor } from '#platform/supervisor.ts'
import { eventually } from '#testing/eventually.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeQuotationWorld, type WireQuotation } from '#testing/make-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock(new Date('2026-11-21T09:30:00.000Z'))
const testApp = await makeTestApp({ clock, environment: { PUBLIC_URL: 'https://waybill.test' } })
const { app, call } = testApp
const world = await makeQuotationWorld(testApp)
const supervisor = makeSupervisor(testApp.services, pino({ level: 'silent' }))
beforeAll(() => supervisor.start())
afterAll(() => supervisor.stop())

interface State {
  readonly is_ready: boolean
  readonly url: string
  readonly status: string
  readonly rows_done: number
  readonly rows_total: number | null
  readonly error: string | null
}
type Caller = Pick<typeof world.staff, 'call'>
const admin: Caller = { call: (method, url, body, headers) => call(method, url, body, headers) }
const list = '/api/v1/quotations/export/'
const detail = (id: number) => `/api/v1/quotations/${id}/export/`
const withKey = (url: string, key: string) => `${url}${url.includes('?') ? '&' : '?'}status_cache_key=${key}`

const begin = async (url: string, by = admin): Promise<string> => {
  const answer = await by.call('GET', url)
  expect([answer.statusCode, answer.body]).toEqual([202, expect.stringContaining('status_cache_key')])
  return answer.json<{ status_cache_key: string }>().status_cache_key
}
const stateOf = async (url: string, key: string, by = admin): Promise<State> =>
  (await by.call('GET', withKey(url, key))).json()
const finished = (url: string, key: string, by = admin) =>
  vi.waitFor(
    async () => {
      const state = await stateOf(url, key, by)
      expect(['completed', 'failed']).toContain(state.status)
      return state
    },
    { timeout: 20_000, interval: 50 },
  )
const fetchFile = async (state: State) => {
  const url = new URL(state.url)
  return app.inject({ method: 'GET', url: url.pathname + url.search })
}
/** The rows of a csv export, as objects. */
const rowsOf = async (url: string): Promise<Record<string, string>[]> => {
  const key = await begin(url)
  const state = await finished(url, key)
  expect(state).toMatchObject({ is_ready: true, status: 'completed', error: null })
  return parse((await fetchFile(state)).rawPayload, { columns: true, bom: true })
}
const columnsOf = async (url: string): Promise<string[]> => Object.keys((await rowsOf(url))[0] ?? {})

/** What exports call these divisions, with the pieces of each. */
const labelsOf = async (divisions: readonly { id: number; quantity: number }[]): Promise<string[]> => {
  const labels: string[] = []
  for (const { id, quantity } of divisions) {
    const { name, erp_code: code } = (await call('GET', `/api/v1/divisions/${id}/`)).json()
    labels.push(`${name} (${code}): ${quantity}`)
  }
  return labels
}

let pending: WireQuotation
let approved: WireQuotation
beforeAll(async () => {
  const { ask, mainBuyer, main, branch, chair, admin: act, staff: _staff } = world
  pending = await ask(mainBuyer, main, { [chair]: 3 }, '=cmd|evil')
  const made = await ask(mainBuyer, branch, { [chair]: 600 }, 'Two orders, "quoted"\nand more')
  approved = await act(made.id, 'approve')
})

describe('an export of quotations', () => {
  test('begins with a key, and ends with a file that is fetched without a credential', async () => {
    const url = `${list}?format=csv`
    const key = await begin(url)
    const state = await finished(url, key)
    expect(state).toEqual({
      is_ready: true,
      url: expect.stringMatching(/^https:\/\/waybill\.test\//),
      status: 'completed',
      rows_done: 3,
      rows_total: 3,
      error: null,
    })
    const file = await fetchFile(state)
    expect(file.statusCode).toBe(200)
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(file.headers['content-disposition']).toBe('attachment; filename="quotations-2026-11-21.csv"')
    expect(file.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    expect(file.body.split('\r\n')[0]).toContain(
      'id,number,total_amount,net_amount,name,user,created_at,modified_at,status,order_remote_number,order_status',
    )
  })

  test('has a row for each order, and one with nothing for a quotation without any', async () => {
    const orders = (await call('GET', `/api/v1/quotations/${approved.id}/orders/`)).json<{ id: number }[]>()
    expect(orders).toHaveLength(2)
    const created = await eventually(async () => {
      const all = (await call('GET', `/api/v1/quotations/${approved.id}/orders/`)).json<WireQuotation[]>()
      expect(all.map(({ status }) => status)).toEqual(['created', 'created'])
      return all
    })
    const rows = await rowsOf(`${list}?format=csv&ordering=id&limit=1000`)
    expect(rows).toEqual([
      {
        id: String(pending.id),
        number: pending.number,
        total_amount: pending.total_amount,
        net_amount: pending.net_amount,
        name: "'=cmd|evil",
        user: pending.user.email,
        created_at: pending.created_at,
        modified_at: expect.stringMatching(/^2026-11-21T09:30:00\.\d{3}Z$/),
        status: 'pending',
        order_remote_number: '',
        order_status: '',
      },
      ...created.map(({ remote_number: number, status }: WireQuotation) =>
        expect.objectContaining({
          id: String(approved.id),
          name: 'Two orders, "quoted"\nand more',
          status: 'approved',
          order_remote_number: number,
          order_status: status,
        }),
      ),
    ])
  })

  test('is narrowed by the filters of the list, ordered as it is, and limited by quotations', async () => {
    const ids = async (query: string) =>
      (await rowsOf(`${list}?format=csv&fields=id&${query}`)).map(({ id }) => Number(id))
    expect(await ids('status=pending')).toEqual([pending.id])
    expect(await ids(`number=${approved.number}`)).toEqual([approved.id, approved.id])
    expect(await ids('name=orders')).toEqual([approved.id, approved.id])
    expect(await ids('status=rejected')).toEqual([])
    expect(await ids('ordering=id')).toEqual([pending.id, approved.id, approved.id])
    // The end of that day is in a year of five digits.
    expect(await ids('created_at__lte=9999-12-31')).toEqual([approved.id, approved.id, pending.id])
    expect(await ids('limit=1')).toEqual([approved.id, approved.id])
    expect(await ids('limit=1&ordering=created_at')).toEqual([pending.id])
    expect(await ids(`user=${pending.user.id}&total_amount__gte=1000`)).toEqual([approved.id, approved.id])
  })

  test('has the columns that are asked for, in that order, each once', async () => {
    expect(await columnsOf(`${list}?format=csv&fields=status&fields=id,number&fields=id`)).toEqual([
      'status',
      'id',
      'number',
    ])
  })

  test('says of each order its number and amount, and which row of a quotation is the first, where that is asked for', async () => {
    const orders = (await call('GET', `/api/v1/quotations/${approved.id}/orders/`)).json<WireQuotation[]>()
    const fields = 'fields=currency,division,order_number,order_amount,is_first_row'
    const [label] = await labelsOf([{ id: approved.user.division.id, quantity: 1 }])
    const both = { currency: 'EUR', division: label?.replace(/: 1$/, '') }
    expect(await rowsOf(`${list}?format=csv&ordering=id&${fields}`)).toEqual([
      { ...both, order_number: '', order_amount: '', is_first_row: '1' },
      ...orders.map(({ number, amount }, index) => ({
        ...both,
        order_number: number,
        order_amount: amount,
        is_first_row: index === 0 ? '1' : '0',
      })),
    ])
  })

  test('has one row for a quotation and all of its orders, where that is asked for', async () => {
    const orders = (await call('GET', `/api/v1/quotations/${approved.id}/orders/`)).json<WireQuotation[]>()
    const url = `${list}?format=csv&rows=quotations&ordering=id`
    const [none, all, ...more] = await rowsOf(
      `${url}&fields=id,order_number,order_remote_number,order_amount,order_status`,
    )
    expect(none).toEqual({
      id: String(pending.id),
      order_number: '',
      order_remote_number: '',
      order_amount: '',
      order_status: '',
    })
    expect(all).toEqual({
      id: String(approved.id),
      order_number: orders.map(({ number }) => number).join(', '),
      order_remote_number: orders.map(({ remote_number: number }) => number).join(', '),
      order_amount: approved.net_amount,
      order_status: 'created',
    })
    expect(more).toEqual([])
    expect(await columnsOf(url)).toEqual(await columnsOf(`${list}?format=csv`))
    expect((await rowsOf(`${url}&fields=id&limit=1`)).map(({ id }) => Number(id))).toEqual([pending.id])
  })

  test.each(['xls', 'xlsx'])('can be %s', async (format) => {
    const url = `${list}?format=${format}`
    const state = await finished(url, await begin(url))
    expect(state).toMatchObject({ status: 'completed', rows_done: 3 })
    const file = await fetchFile(state)
    const magic = { xls: 'd0cf11e0', xlsx: '504b0304' }[format]
    expect(file.rawPayload.subarray(0, 4).toString('hex')).toBe(magic)
    expect(file.headers['content-disposition']).toContain(`quotations-2026-11-21.${format}`)
  })

  test('is an xls unless something else is asked for', async () => {
    const state = await finished(list, await begin(list))
    expect((await fetchFile(state)).headers['content-type']).toBe('application/vnd.ms-excel')
  })

  test('is another one each time, also of the same request', async () => {
    const url = `${list}?format=csv&fields=id&limit=7`
    const keys = await Promise.all([begin(url), begin(url)])
    expect(new Set(keys).size).toBe(2)
    for (const key of keys) await finished(list, key)
  })
})

describe('an export of items', () => {
  const csv = (id: number, query = '') => `${detail(id)}?format=csv${query}`

  test('has the fields that are asked for and those of the setting', async () => {
    expect(await columnsOf(csv(approved.id))).toEqual(['product_remote_id', 'quantity', 'price', 'total_amount'])
    expect(await columnsOf(csv(approved.id, '&fields=divisions,price'))).toEqual([
      'divisions',
      'price',
      'product_remote_id',
      'quantity',
      'total_amount',
    ])
    await call('PATCH', '/api/v1/settings/', { QUOTATION_ITEM_EXPORT_FIELDS: ['product'] })
    clock.advance(60_001)
    expect(await columnsOf(csv(approved.id))).toEqual(['product'])
    await call('PATCH', '/api/v1/settings/', {
      QUOTATION_ITEM_EXPORT_FIELDS: ['product_remote_id', 'quantity', 'price', 'total_amount'],
    })
  })

  test('says of each item what the API says', async () => {
    const { items } = (await call('GET', `/api/v1/quotations/${approved.id}/`)).json()
    const [row] = await rowsOf(csv(approved.id, '&fields=product,divisions'))
    const [item] = items
    expect(row).toEqual({
      product: item.product,
      divisions: expect.any(String),
      product_remote_id: String(item.product_remote_id),
      quantity: String(item.quantity),
      price: item.price,
      total_amount: item.total_amount,
    })
    expect(row?.['divisions']).toBe((await labelsOf(item.divisions)).join(', '))
  })

  test('tells currency, division and net amount of each item, where they are asked for', async () => {
    const quotation = (await call('GET', `/api/v1/quotations/${approved.id}/`)).json()
    const [division] = await labelsOf([{ id: quotation.user.division.id, quantity: 1 }])
    const [row] = await rowsOf(csv(approved.id, '&fields=net_amount,currency,division'))
    expect(row).toMatchObject({
      net_amount: quotation.items[0].net_amount,
      currency: quotation.currency,
      division: division?.replace(/: 1$/, ''),
    })
  })

  test('is called like its quotation', async () => {
    const url = csv(approved.id, '&limit=1')
    const file = await fetchFile(await finished(url, await begin(url)))
    expect(file.headers['content-disposition']).toBe(`attachment; filename="${approved.number}.csv"`)
  })

  test('of a quotation that there is not is 404', async () => {
    expect((await call('GET', csv(999_999))).statusCode).toBe(404)
  })
})

describe('what is refused', () => {
  test.each([
    ['format=pdf', 'format', /xls, csv, xlsx/],
    ['format=', 'format', /xls, csv, xlsx/],
    ['format=csv&format=xls', 'format', /xls, csv, xlsx/],
    ['fields=id,secret', 'fields', /“secret”.*id, number/],
    ['fields=price', 'fields', /“price”/],
    ['rows=items', 'rows', /orders, quotations/],
    ['limit=0', 'limit', /at least 1/],
    ['limit=-1', 'limit', /at least 1/],
    ['limit=many', 'limit', /integer/],
    ['limit=1.5', 'limit', /integer/],
    ['status=draft&status=sold', 'status', /pending/],
    ['created_at=yesterday', 'created_at', /date/],
    ['ordering=secret', 'ordering', /created_at/],
  ])('%s is 400 and says what is wrong', async (query, field, message) => {
    const answer = await call('GET', `${list}?${query}`)
    expect(answer.statusCode).toBe(400)
    const errors = answer.json<Record<string, string[]>>()
    expect(Object.keys(errors)).toEqual([field])
    expect(errors[field]?.join(' ')).toMatch(message)
  })

  test('an unknown field of items names those that there are', async () => {
    const answer = await call('GET', `${detail(approved.id)}?fields=order_amount`)
    expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('product_remote_id, quantity')])
  })

  test('a key is unknown to others, on other paths, when it is made up, and after a day', async () => {
    const url = `${list}?format=csv&fields=name`
    const key = await begin(url)
    await finished(url, key)
    expect((await world.staff.call('GET', withKey(list, key))).statusCode).toBe(404)
    expect((await call('GET', withKey(detail(approved.id), key))).statusCode).toBe(404)
    expect((await call('GET', withKey(list, 'made-up'))).statusCode).toBe(404)
    const { url: link } = await stateOf(list, key)
    clock.advance(86_400_001)
    expect((await call('GET', withKey(list, key))).statusCode).toBe(404)
    const { pathname, search } = new URL(link)
    expect((await app.inject({ method: 'GET', url: pathname + search })).statusCode).toBe(404)
  })

  test('nothing that is given beside a key, which alone is read', async () => {
    const url = `${list}?format=csv&fields=number`
    const key = await begin(url)
    const state = await finished(url, key)
    for (const beside of ['format=pdf', 'limit=0&fields=secret', 'status=sold&created_at=yesterday', 'name=%ff'])
      expect((await call('GET', withKey(`${list}?${beside}`, key))).json()).toEqual(state)
    expect((await call('GET', withKey(list, 'x'.repeat(101)))).statusCode).toBe(404)
  })

  test('other methods, told which there are', async () => {
    for (const url of [list, detail(approved.id)])
      for (const method of ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
        const answer = await call(method, url)
        expect([method, answer.statusCode, answer.headers['allow']]).toEqual([method, 405, 'GET'])
      }
  })

  test('buyers, and those who may not read quotations', async () => {
    expect((await world.mainBuyer.call('GET', list)).statusCode).toBe(403)
    expect((await app.inject({ method: 'GET', url: list })).statusCode).toBe(401)
  })
})

test('an export of items has the price of the division, where a quotation was made with one', async () => {
  const { ask, must, owner, branch, product } = world
  const lamp = await product({ price: 2_000 })
  await must(
    call('POST', '/api/v1/prices/', { division: branch, product_remote_id: lamp, name: 'Summer', price: '15' }),
  )
  const { id } = await ask(owner, branch, { [lamp]: 2 })
  expect(await rowsOf(`${detail(id)}?format=csv&fields=price`)).toMatchObject([
    { price: '15.00', total_amount: '30.00' },
  ])
})
