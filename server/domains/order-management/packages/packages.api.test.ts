import { describe, expect, test } from 'vitest'
import { makeFulfilment, type PackageBody } from '#testing/data/make-fulfilment.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const { call, database } = await makeTestApp()
const fulfilment = makeFulfilment({ call })

const eventsOf = async (type: string, id: number) => {
  const rows = await database.db
    .selectFrom('events')
    .select(['type', 'sequence', 'body'])
    .where('objectType', '=', type)
    .where('objectId', '=', String(id))
    .orderBy('sequence')
    .execute()
  return rows.map((row) => ({ ...row, data: (JSON.parse(row.body) as { data: Record<string, unknown> }).data }))
}
const typesOf = async (type: string, id: number) => (await eventsOf(type, id)).map((event) => event.type)

describe('creating a package', () => {
  test('answers it, numbered, with its event', async () => {
    await fulfilment.location({ DESK: 1 })
    const answer = await call('POST', '/api/v1/packages/', {
      order_number: 'O-7',
      items: [{ sku: 'DESK', quantity: 3 }],
    })
    expect(answer.statusCode).toBe(201)
    const body = answer.json()
    expect(body).toMatchObject({
      number: expect.stringMatching(/^P-\d{4}-\d{6}$/),
      order_number: 'O-7',
      stock_location: null,
      status: 'created',
      items: [{ sku: 'DESK', quantity: 3 }],
      shipment: null,
      allowed_actions: ['transition', 'cancel'],
    })
    expect(await typesOf('package', body.id)).toEqual(['package.created'])
  })

  test('ignores read-only fields and refuses unknown ones', async () => {
    await fulfilment.location({ DESK: 1 })
    const fields = { order_number: 'O-7', items: [{ sku: 'DESK', quantity: 1 }] }
    const ok = await call('POST', '/api/v1/packages/', {
      ...fields,
      id: 999_999,
      status: 'shipped',
      number: 'X',
      allowed_actions: [],
    })
    expect(ok.json()).toMatchObject({ status: 'created' })
    expect(ok.json().id).not.toBe(999_999)
    const refused = await call('POST', '/api/v1/packages/', { ...fields, colour: 'red' })
    expect(refused.statusCode).toBe(400)
    expect(refused.json()).toEqual({ colour: ['Unknown field.'] })
  })

  test.each([
    ['no items', { items: [] }, 'items'],
    ['an unknown sku', { items: [{ sku: 'NEVER-SEEN', quantity: 1 }] }, 'items.0.sku'],
    [
      'the same sku twice',
      {
        items: [
          { sku: 'DESK', quantity: 1 },
          { sku: 'DESK', quantity: 1 },
        ],
      },
      'items.1.sku',
    ],
    ['a quantity of nothing', { items: [{ sku: 'DESK', quantity: 0 }] }, 'items.0.quantity'],
    ['too many pieces', { items: [{ sku: 'DESK', quantity: 1_000_001 }] }, 'items.0.quantity'],
    ['a broken piece', { items: [{ sku: 'DESK', quantity: 1.5 }] }, 'items.0.quantity'],
    ['a quantity as text', { items: [{ sku: 'DESK', quantity: '1' }] }, 'items.0.quantity'],
    ['an unknown location', { stock_location: 999_999 }, 'stock_location'],
    ['a location that is no id', { stock_location: 'x' }, 'stock_location'],
    ['an id beyond 53 bits', { stock_location: 1e300 }, 'stock_location'],
    ['a blank order number', { order_number: '  ' }, 'order_number'],
    ['an order number that is too long', { order_number: 'x'.repeat(65) }, 'order_number'],
  ])('refuses %s', async (_, fields, field) => {
    await fulfilment.location({ DESK: 1 })
    const body = { order_number: 'O-7', items: [{ sku: 'DESK', quantity: 1 }], ...fields }
    const answer = await call('POST', '/api/v1/packages/', body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ [field]: [expect.stringMatching(/^[A-Z].*\.$/)] })
  })

  test('leaves nothing of those that are refused', async () => {
    const place = await fulfilment.location({ DESK: 1 })
    const count = async () => (await call('GET', '/api/v1/packages/')).headers['x-total-count']
    const before = await count()
    const create = async (sku: string, stock_location: number) => {
      const body = { order_number: 'O-7', items: [{ sku, quantity: 1 }], stock_location }
      return (await call('POST', '/api/v1/packages/', body)).statusCode
    }
    for (let time = 0; time < 10; time++) {
      expect(await create('NEVER', place)).toBe(400)
      expect(await Promise.all([create('NEVER', place), create('DESK', 999_999)])).toEqual([400, 400])
    }
    expect(await count()).toBe(before)
  })

  test('refuses an inactive location', async () => {
    const id = await fulfilment.location({ DESK: 1 }, {})
    await call('PATCH', `/api/v1/stock_locations/${id}/`, { is_active: false })
    const body = { order_number: 'O-7', stock_location: id, items: [{ sku: 'DESK', quantity: 1 }] }
    const answer = await call('POST', '/api/v1/packages/', body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ stock_location: [expect.stringContaining('not active')] })
  })

  test('makes one package for one idempotency key', async () => {
    await fulfilment.location({ DESK: 1 })
    const send = () =>
      call(
        'POST',
        '/api/v1/packages/',
        { order_number: 'O-8', items: [{ sku: 'DESK', quantity: 1 }] },
        { 'idempotency-key': 'one' },
      )
    const [first, second] = [await send(), await send()]
    expect(second.json()).toEqual(first.json())
    expect(await typesOf('package', first.json().id)).toEqual(['package.created'])
  })
})

describe('stock', () => {
  test('is allocated by the transition, sold by shipping, and back after a refund', async () => {
    const parcel = await fulfilment.packageIn('created')
    const at = parcel.stock_location ?? 0
    const balances = [await fulfilment.balance(at, 'CHAIR')]
    await fulfilment.act(parcel.id, 'transition')
    balances.push(await fulfilment.balance(at, 'CHAIR'))
    await fulfilment.act(parcel.id, 'pack')
    await fulfilment.shipment(parcel.id)
    await fulfilment.act(parcel.id, 'ship')
    balances.push(await fulfilment.balance(at, 'CHAIR'))
    await fulfilment.act(parcel.id, 'pack-for-refund')
    await fulfilment.act(parcel.id, 'cancel', { disposition: 'restock' })
    balances.push(await fulfilment.balance(at, 'CHAIR'))
    expect(balances.map((balance) => [balance?.on_hand, balance?.allocated])).toEqual([
      [10, 0],
      [10, 1],
      [9, 0],
      [10, 0],
    ])
  })

  test.each([
    ['shipped', 'restock', 10],
    ['shipped', 'write_off', 9],
    ['packed', 'restock', 10],
    ['packed', 'write_off', 9],
  ] as const)('of a package packed for refund when %s, with %s, ends at %i', async (status, disposition, onHand) => {
    const parcel = await fulfilment.packageIn(status)
    await fulfilment.act(parcel.id, 'pack-for-refund')
    await fulfilment.act(parcel.id, 'cancel', { disposition })
    expect(await fulfilment.balance(parcel.stock_location ?? 0, 'CHAIR')).toMatchObject({
      on_hand: onHand,
      allocated: 0,
    })
  })

  test('moves with a re-route', async () => {
    const parcel = await fulfilment.packageIn('transitioned')
    const other = await fulfilment.location({ CHAIR: 1 })
    const moved = await fulfilment.act(parcel.id, 'transition', { stock_location: other })
    expect(moved.stock_location).toBe(other)
    expect(await fulfilment.balance(parcel.stock_location ?? 0, 'CHAIR')).toMatchObject({ allocated: 0 })
    expect(await fulfilment.balance(other, 'CHAIR')).toMatchObject({ allocated: 1 })
  })

  test('that is not there refuses the whole transition', async () => {
    const poor = await fulfilment.location({ CHAIR: 5, LAMP: 1 })
    const items = [
      { sku: 'CHAIR', quantity: 2 },
      { sku: 'LAMP', quantity: 2 },
    ]
    const parcel = await fulfilment.post<PackageBody>('/api/v1/packages/', { order_number: 'O-1', items })
    const answer = await call('POST', `/api/v1/packages/${parcel.id}/transition/`, { stock_location: poor })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({
      non_field_errors: [expect.stringContaining('LAMP (2 wanted, 1 available)')],
      code: 'insufficient_stock',
      allowed_actions: ['transition', 'cancel'],
    })
    expect(await fulfilment.balance(poor, 'CHAIR')).toMatchObject({ allocated: 0 })
    expect(await typesOf('package', parcel.id)).toEqual(['package.created'])
  })

  test('can be promised beyond what is there where back-orders are allowed', async () => {
    const id = await fulfilment.location({ CHAIR: 1 }, { allow_backorder: true })
    const parcel = await fulfilment.packageIn('transitioned', {
      stock_location: id,
      items: [{ sku: 'CHAIR', quantity: 4 }],
    })
    expect(parcel.status).toBe('transitioned')
    expect(await fulfilment.balance(id, 'CHAIR')).toEqual({ sku: 'CHAIR', on_hand: 1, allocated: 4, available: -3 })
  })
})

test('50 packages sent at once to a location with stock for 20 get exactly that', async () => {
  const id = await fulfilment.location({ CHAIR: 20 })
  const fields = { order_number: 'O-50', items: [{ sku: 'CHAIR', quantity: 1 }] }
  const parcels = await Promise.all(
    Array.from({ length: 50 }, () => fulfilment.post<PackageBody>('/api/v1/packages/', fields)),
  )
  const answers = await Promise.all(
    parcels.map((parcel) => call('POST', `/api/v1/packages/${parcel.id}/transition/`, { stock_location: id })),
  )
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(20)
  expect(answers.filter(({ statusCode }) => statusCode === 400)).toHaveLength(30)
  expect(await fulfilment.balance(id, 'CHAIR')).toMatchObject({ on_hand: 20, allocated: 20 })
})

describe('a transition', () => {
  test('needs a location when none was planned', async () => {
    const parcel = await fulfilment.packageIn('created', { stock_location: null })
    const answer = await call('POST', `/api/v1/packages/${parcel.id}/transition/`, {})
    expect(answer.json()).toEqual({ stock_location: ['This field is required.'] })
  })

  test('goes to another location only', async () => {
    const parcel = await fulfilment.packageIn('transitioned')
    const answer = await call('POST', `/api/v1/packages/${parcel.id}/transition/`, {
      stock_location: parcel.stock_location,
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ stock_location: [expect.stringContaining('already')] })
  })

  test('to an unknown or inactive location is a field error', async () => {
    const parcel = await fulfilment.packageIn('created')
    const inactive = await fulfilment.location({}, { is_active: false })
    for (const id of [999_999, inactive]) {
      const answer = await call('POST', `/api/v1/packages/${parcel.id}/transition/`, { stock_location: id })
      expect(answer.statusCode).toBe(400)
      expect(Object.keys(answer.json())).toEqual(['stock_location'])
    }
  })

  test('wins once when many are sent at once', async () => {
    const parcel = await fulfilment.packageIn('transitioned')
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => call('POST', `/api/v1/packages/${parcel.id}/pack/`)),
    )
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 400),
    ])
    const loser = answers.find(({ statusCode }) => statusCode === 400)
    expect(loser?.json().allowed_actions).toEqual(['cancel', 'pack-for-refund'])
    expect(await typesOf('package', parcel.id)).toEqual([
      'package.created',
      'package.status.transitioned',
      'package.status.packed',
    ])
  })
})

describe('shipping and cancelling', () => {
  test('shipping needs a shipment, and a cancelled one does not count', async () => {
    const parcel = await fulfilment.packageIn('packed')
    const { id } = await fulfilment.shipment(parcel.id)
    await call('POST', `/api/v1/shipments/${id}/cancel/`)
    const answer = await call('POST', `/api/v1/packages/${parcel.id}/ship/`)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'shipment_required', allowed_actions: ['cancel', 'pack-for-refund'] })
  })

  test('shipping takes the shipment along', async () => {
    const parcel = await fulfilment.packageIn('packed')
    const { id } = await fulfilment.shipment(parcel.id)
    const shipped = await fulfilment.act(parcel.id, 'ship')
    expect(shipped.shipment).toBe(id)
    expect((await call('GET', `/api/v1/shipments/${id}/`)).json().status).toBe('in_transit')
    expect(await typesOf('shipment', id)).toEqual(['shipment.created', 'shipment.status.updated'])
  })

  test('cancelling takes the shipment along', async () => {
    const parcel = await fulfilment.packageIn('packed')
    const { id } = await fulfilment.shipment(parcel.id)
    const cancelled = await fulfilment.act(parcel.id, 'cancel')
    expect(cancelled.shipment).toBeNull()
    expect(await typesOf('shipment', id)).toEqual(['shipment.created', 'shipment.status.updated', 'shipment.cancelled'])
  })

  test('cancelling a refund leaves a shipment that was under way as it is', async () => {
    const parcel = await fulfilment.packageIn('packed_for_refund')
    const cancelled = await fulfilment.act(parcel.id, 'cancel', { disposition: 'restock' })
    expect(cancelled.shipment).toBe(parcel.shipment)
    expect((await call('GET', `/api/v1/shipments/${String(parcel.shipment)}/`)).json().status).toBe('in_transit')
  })

  test('a disposition is asked for after packing for refund, and nowhere else', async () => {
    const refund = await fulfilment.packageIn('packed_for_refund')
    const missing = await call('POST', `/api/v1/packages/${refund.id}/cancel/`)
    expect(missing.statusCode).toBe(400)
    expect(missing.json()).toEqual({ disposition: [expect.any(String)] })
    const packed = await fulfilment.packageIn('packed')
    const needless = await call('POST', `/api/v1/packages/${packed.id}/cancel/`, { disposition: 'restock' })
    expect(needless.statusCode).toBe(400)
    expect(needless.json()).toEqual({ disposition: [expect.any(String)] })
  })

  test('an action refuses fields it does not know', async () => {
    const parcel = await fulfilment.packageIn('transitioned')
    const answer = await call('POST', `/api/v1/packages/${parcel.id}/pack/`, { stock_location: 1 })
    expect(answer.json()).toEqual({ stock_location: ['Unknown field.'] })
  })

  test('work at a location that was deactivated meanwhile can be finished', async () => {
    const parcel = await fulfilment.packageIn('packed')
    await call('PATCH', `/api/v1/stock_locations/${String(parcel.stock_location)}/`, { is_active: false })
    await fulfilment.shipment(parcel.id)
    expect((await fulfilment.act(parcel.id, 'ship')).status).toBe('shipped')
  })
})

test('the events of a package are numbered without gaps, and its history says who did what', async () => {
  const parcel = await fulfilment.packageIn('packed_for_refund')
  const { id } = parcel
  await fulfilment.act(id, 'cancel', { disposition: 'write_off' })
  expect((await eventsOf('package', id)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6])
  const me = (await call('GET', '/api/v1/auth/me/')).json<{ id: number }>().id
  const history = await call('GET', `/api/v1/packages/${id}/history/?limit=100`)
  expect(history.headers['x-total-count']).toBe('6')
  expect(history.json()[1]).toEqual({
    action: 'transition',
    from_status: 'created',
    to_status: 'transitioned',
    stock_location: parcel.stock_location,
    actor: me,
    created_date: expect.any(String),
  })
  expect(history.json().map((entry: { action: string }) => entry.action)).toEqual([
    'create',
    'transition',
    'pack',
    'ship',
    'pack-for-refund',
    'cancel',
  ])
})

describe('the list', () => {
  test('finds by every filter, and pages', async () => {
    const location = await fulfilment.location({ 'FILTER-A': 9, 'FILTER-B': 9 })
    const make = (order_number: string, sku: string) =>
      fulfilment.post<PackageBody>('/api/v1/packages/', {
        order_number,
        stock_location: location,
        items: [{ sku, quantity: 1 }],
      })
    const [one, two, three] = [
      await make('F-1', 'FILTER-A'),
      await make('F-1', 'FILTER-B'),
      await make('F-2', 'FILTER-B'),
    ]
    await fulfilment.act(three.id, 'cancel')
    const ids = async (query: string) =>
      (await call('GET', `/api/v1/packages/?stock_location=${location}&${query}`))
        .json()
        .map((row: PackageBody) => row.id)

    expect(await ids('')).toEqual([three.id, two.id, one.id])
    expect(await ids('ordering=id')).toEqual([one.id, two.id, three.id])
    expect(await ids('order_number=F-1')).toEqual([two.id, one.id])
    expect(await ids('sku=FILTER-B')).toEqual([three.id, two.id])
    expect(await ids('status=cancelled')).toEqual([three.id])
    expect(await ids('status=cancelled&status=created')).toEqual([three.id, two.id, one.id])
    expect(await ids(`number=${one.number}`)).toEqual([one.id])
    expect(await ids('created_date__lt=2000-01-01 00:00:00')).toEqual([])
    expect(await ids('created_date__gte=2000-01-01T00:00:00Z&limit=1&page=2')).toEqual([two.id])
    const page = await call('GET', `/api/v1/packages/?stock_location=${location}&limit=1&page=2`)
    expect(page.headers['x-total-count']).toBe('3')
    expect(page.headers['link']).toMatch(/page=1>; rel="first".*page=3>; rel="next"/)
  })

  test.each([
    'page=0',
    'limit=1001',
    'status=lost',
    'stock_location=x',
    'ordering=colour',
    'created_date__gte=yesterday',
    'created_date__lt=2026-02-31 00:00:00',
    'created_date__lt=0000-01-01 00:00:00',
  ])('refuses %s', async (query) => {
    const answer = await call('GET', `/api/v1/packages/?${query}`)
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json())).toEqual([expect.stringMatching(new RegExp(`^${query.split('=', 1).join('')}`))])
  })
})

test('unknown and malformed ids in the path are 404', async () => {
  for (const id of ['999999', '0', 'x', '-1', '99999999999999999999']) {
    expect((await call('GET', `/api/v1/packages/${id}/`)).statusCode).toBe(404)
    expect((await call('GET', `/api/v1/packages/${id}/history/`)).statusCode).toBe(404)
    expect((await call('POST', `/api/v1/packages/${id}/pack/`, {})).statusCode).toBe(404)
  }
})
