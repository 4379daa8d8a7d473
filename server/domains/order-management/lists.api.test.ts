import { describe, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeFulfilment, type PackageBody, type TransferBody } from '#testing/data/make-fulfilment.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const { call } = await makeTestApp({ clock })
const { post, act, actOnTransfer, shipment } = makeFulfilment({ call })

/** A row of any of the lists, as a client reads it. */
type Row = ReturnType<typeof JSON.parse>

// Some of everything; an hour passes before the last of each.
const hook = (fields: object) => post<Row>('/whisperer/hooks/', { target_url: 'http://127.0.0.1:4001/b', ...fields })
const firstHook = await hook({ event_type: 'package.created', target_url: 'http://127.0.0.1:4001/a' })
await hook({ event_type: 'stock_location.created', is_active: false })
const place = (fields: object) => post<Row>('/api/v1/stock_locations/', fields)
const north = await place({ code: 'A-1', name: 'North hall', kind: 'warehouse' })
await place({ code: 'B-1', name: 'Shop 100%', kind: 'store', is_active: false })
for (const [sku, quantity] of [
  ['CHAIR', 10],
  ['DESK', 12],
  ['LAMP', 10],
] as const) {
  await post(`/api/v1/stock_locations/${north.id}/stock/`, { sku, quantity, reason: 'First count' })
}
const pack = (order: string, location: number, ...skus: string[]) =>
  post<PackageBody>('/api/v1/packages/', {
    order_number: order,
    stock_location: location,
    items: skus.map((sku) => ({ sku, quantity: 2 })),
  })
const [one, two] = [await pack('O-1', north.id, 'CHAIR'), await pack('O-1', north.id, 'DESK')]
const firstShipment = await shipment(one.id, { carrier: 'DHL', awb_number: 'AWB-1' })
await shipment(two.id, { carrier: 'UPS', awb_number: 'AWB-2' })
const yard = await place({ code: 'D-1', name: 'Yard', kind: 'warehouse' })
const send = (from: number, to: number, sku: string, fields: object = {}) =>
  post<TransferBody>('/api/v1/transfers/', {
    from_location: from,
    to_location: to,
    items: [{ sku, quantity: 1 }],
    ...fields,
  })
const firstTransfer = await send(north.id, yard.id, 'CHAIR')
const served = await send(north.id, yard.id, 'DESK', { package: one.id, carrier: 'DHL', awb_number: 'AWB-3' })

clock.advance(3_600_000)
const later = clock.now().toISOString()
await hook({ event_type: 'shipment.created' })
const south = await place({ code: 'C-1', name: 'North hall', kind: 'virtual', allow_backorder: true })
const three = await pack('O-2', south.id, 'CHAIR', 'DESK')
await act(two.id, 'transition')
await act(two.id, 'transition', { stock_location: south.id })
await act(two.id, 'transition', { stock_location: north.id })
await act((await pack('O-3', north.id, 'LAMP')).id, 'cancel')
const lastShipment = await shipment(three.id, { carrier: 'DHL' })
await call('PATCH', `/api/v1/shipments/${lastShipment.id}/`, { status: 'ready' })
for (const action of ['transition', 'ready', 'dispatch']) await actOnTransfer(firstTransfer.id, action)
await send(north.id, south.id, 'LAMP')
await actOnTransfer((await send(south.id, north.id, 'CHAIR')).id, 'cancel')

/** What a filter leaves, said by a row as it is answered. */
type Filter = readonly [query: string, matches: (row: Row) => boolean]

const created: readonly Filter[] = [
  [`created_date__gte=${later}`, (row) => row.created_date >= later],
  [`created_date__lt=${later}`, (row) => row.created_date < later],
  [`created_date__gte=${later.slice(0, 19).replace('T', ' ')}`, (row) => row.created_date >= later],
]
interface List {
  readonly path: string
  readonly filters: readonly Filter[]
  /** Fields of `ordering`; the key breaks ties. */
  readonly orderings: readonly string[]
  readonly key: string
  /** Ordering when none is asked for. */
  readonly usual: string
  readonly bad: readonly string[]
}
const badDates = ['created_date__gte=yesterday', 'created_date__lt=2026-02-31 00:00:00']

const lists: readonly List[] = [
  {
    path: '/api/v1/stock_locations/',
    filters: [
      ...created,
      ['code=B-1', (row) => row.code === 'B-1'],
      ['name=NORTH', (row) => /north/i.test(row.name)],
      ['name=0%25', (row) => row.name === 'Shop 100%'],
      ['kind=store', (row) => row.kind === 'store'],
      ['kind=store&kind=virtual', (row) => row.kind !== 'warehouse'],
      ['is_active=false', (row) => !row.is_active],
      ['is_active=true&kind=virtual', (row) => row.is_active && row.kind === 'virtual'],
    ],
    orderings: ['id', 'code', 'name', 'created_date', 'modified_date'],
    key: 'id',
    usual: 'id',
    bad: [...badDates, 'kind=cave', 'is_active=maybe'],
  },
  {
    path: `/api/v1/stock_locations/${north.id}/stock/`,
    filters: [['sku=DESK', (row) => row.sku === 'DESK']],
    orderings: ['sku', 'on_hand', 'allocated', 'available'],
    key: 'sku',
    usual: 'sku',
    bad: [],
  },
  {
    path: '/api/v1/packages/',
    filters: [
      ...created,
      ['status=transitioned', (row) => row.status === 'transitioned'],
      ['status=created&status=cancelled', (row) => row.status !== 'transitioned'],
      [`stock_location=${south.id}`, (row) => row.stock_location === south.id],
      ['order_number=O-1', (row) => row.order_number === 'O-1'],
      [`number=${two.number}`, (row) => row.id === two.id],
      ['sku=CHAIR', (row) => row.items.some(({ sku }: { sku: string }) => sku === 'CHAIR')],
      ['sku=CHAIR&order_number=O-2', (row) => row.id === three.id],
    ],
    orderings: ['id', 'number', 'order_number', 'status', 'created_date', 'modified_date'],
    key: 'id',
    usual: '-id',
    bad: [...badDates, 'status=lost', 'status=created&status=lost', 'stock_location=x', 'stock_location=0'],
  },
  {
    path: `/api/v1/packages/${two.id}/history/`,
    filters: [],
    orderings: [],
    key: 'created_date',
    usual: 'created_date',
    bad: [],
  },
  {
    path: '/api/v1/shipments/',
    filters: [
      ...created,
      [`package=${one.id}`, (row) => row.package === one.id],
      [`transfer=${served.id}`, (row) => row.transfer === served.id],
      ['status=ready', (row) => row.status === 'ready'],
      ['status=created&status=delivered', (row) => row.status === 'created'],
      ['carrier=UPS', (row) => row.carrier === 'UPS'],
      ['carrier=DHL&status=created', (row) => row.carrier === 'DHL' && row.status === 'created'],
      ['awb_number=AWB-1', (row) => row.id === firstShipment.id],
    ],
    orderings: ['id', 'carrier', 'status', 'created_date', 'modified_date'],
    key: 'id',
    usual: '-id',
    bad: [...badDates, 'status=lost', 'package=x', 'transfer=0'],
  },
  {
    path: '/api/v1/transfers/',
    filters: [
      ...created,
      ['status=in_transit', (row) => row.status === 'in_transit'],
      ['status=created&status=cancelled', (row) => row.status !== 'in_transit'],
      [`number=${served.number}`, (row) => row.id === served.id],
      [`from_location=${south.id}`, (row) => row.from_location === south.id],
      [`to_location=${yard.id}`, (row) => row.to_location === yard.id],
      [`package=${one.id}`, (row) => row.package === one.id],
      ['sku=CHAIR', (row) => row.items.some(({ sku }: { sku: string }) => sku === 'CHAIR')],
      [`sku=CHAIR&to_location=${yard.id}`, (row) => row.id === firstTransfer.id],
    ],
    orderings: ['id', 'number', 'status', 'created_date', 'modified_date'],
    key: 'id',
    usual: '-id',
    bad: [...badDates, 'status=lost', 'from_location=x', 'to_location=0', 'package=x'],
  },
  {
    path: `/api/v1/transfers/${firstTransfer.id}/history/`,
    filters: [],
    orderings: [],
    key: 'created_date',
    usual: 'created_date',
    bad: [],
  },
  {
    path: '/whisperer/hooks/',
    filters: [
      ['event_type=package-created', (row) => row.event_type === 'package.created'],
      ['target_url=HTTP://127.0.0.1:4001/B', (row) => row.target_url.endsWith('/b')],
      ['is_active=False', (row) => !row.is_active],
      ['is_active=true', (row) => row.is_active],
    ],
    orderings: ['id', 'event_type', 'is_active', 'created_date', 'modified_date'],
    key: 'id',
    usual: 'id',
    bad: ['is_active=maybe'],
  },
  {
    path: '/whisperer/hook_events/',
    filters: [
      ['event_type=shipment-created', (row) => row.event_type === 'shipment.created'],
      [`webhook=${firstHook.id}`, (row) => row.webhook.id === firstHook.id],
      ['content_type=1', (row) => row.content_type === 1],
      [`content_type=1&object_id=${two.id}`, (row) => row.content_type === 1 && row.object_id === String(two.id)],
    ],
    orderings: ['id', 'created_date'],
    key: 'id',
    usual: '-created_date',
    bad: ['delivered=maybe', 'uuid=x', 'webhook=x', 'content_type=x', 'response_http_status=x', 'status=lost'],
  },
]

const read = async (path: string, query = ''): Promise<readonly Row[]> => {
  const answer = await call('GET', `${path}?limit=1000&${query}`)
  expect([answer.statusCode, answer.headers['x-total-count']]).toEqual([200, String(answer.json().length)])
  return answer.json()
}
const compare = (a: Row, b: Row): number => Number(a > b) - Number(a < b)
const sorted = (rows: readonly Row[], ordering: string, key: string): Row[] => {
  const field = ordering.replace('-', '')
  const ascending = rows.toSorted((a, b) => compare(a[field], b[field]) || compare(a[key], b[key]))
  return ordering.startsWith('-') ? ascending.toReversed() : ascending
}

describe.each(lists)('GET $path', ({ path, filters, orderings, key, usual, bad }) => {
  test('has every row, in its usual order', async () => {
    const rows = await read(path)
    expect(rows.length).toBeGreaterThan(2)
    expect(rows).toEqual(sorted(rows, usual, key))
  })

  test('leaves what its filters say, some rows and not others', async () => {
    const all = await read(path)
    for (const [query, matches] of filters) {
      const expected = all.filter(matches)
      expect([query, expected.length > 0 && expected.length < all.length]).toEqual([query, true])
      expect([query, await read(path, query)]).toEqual([query, expected])
    }
  })

  test('is ordered both ways by each field, equal rows by their key', async () => {
    const all = await read(path)
    for (const ordering of orderings.flatMap((field) => [field, `-${field}`])) {
      expect([ordering, await read(path, `ordering=${ordering}`)]).toEqual([ordering, sorted(all, ordering, key)])
    }
  })

  test('is the same read page by page along its links, with its filters', async () => {
    const all = await read(path)
    const ordering = orderings.length === 0 ? '' : `&ordering=${orderings.at(-1)}`
    for (const [query, matches] of [['', () => true] as const, ...filters.slice(0, 1)]) {
      const expected = orderings.length === 0 ? all : sorted(all.filter(matches), orderings.at(-1) ?? '', key)
      const found: Row[] = []
      let next: string | undefined = `${path}?limit=1&${query}${ordering}`
      while (next !== undefined) {
        const answer = await call('GET', next)
        expect(answer.headers['x-total-count']).toBe(String(expected.length))
        expect(answer.headers['link']).toMatch(new RegExp(`page=1>; rel="first".*page=${expected.length}>; rel="last"`))
        found.push(...answer.json())
        next = /<[^>]*?(\/(?:api|whisperer)\/[^>]*)>; rel="next"/.exec(String(answer.headers['link']))?.[1]
      }
      expect(found).toEqual(expected)
    }
    const beyond = await call('GET', `${path}?page=1000`)
    expect([beyond.statusCode, beyond.json()]).toEqual([200, []])
  })

  test('refuses values that make no sense, by name', async () => {
    const paging = ['limit=0', 'limit=1001', 'limit=x', 'limit=1.5', 'limit=', 'page=0', 'page=-1', 'page=x']
    const ordering = orderings.length === 0 ? [] : ['ordering=colour', 'ordering=-', 'ordering=id,code']
    for (const query of [...paging, ...ordering, ...bad]) {
      const answer = await call('GET', `${path}?${query}`)
      const fields = Object.keys(answer.json()).map((field) => field.replace(/\..*/, ''))
      expect([query, answer.statusCode, fields]).toEqual([query, 400, [query.replace(/=.*/, '')]])
    }
  })
})

test.each([
  '/api/v1/stock_locations/999999/stock/',
  '/api/v1/packages/999999/history/',
  '/api/v1/transfers/999999/history/',
])('GET %s, of something that does not exist, is 404', async (path) => {
  expect((await call('GET', path)).statusCode).toBe(404)
})
