import { describe, expect, test } from 'vitest'
import { makeFulfilment, type TransferBody } from '#testing/data/make-fulfilment.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const { call, database } = await makeTestApp()
const fulfilment = makeFulfilment({ call })
const path = '/api/v1/transfers/'

const eventsOf = (id: number) =>
  database.db
    .selectFrom('events')
    .select(['type', 'sequence', 'scope', 'body'])
    .where('objectType', '=', 'transfer')
    .where('objectId', '=', String(id))
    .orderBy('sequence')
    .execute()
const ends = async () => ({
  from_location: await fulfilment.location({ CHAIR: 10, DESK: 5 }),
  to_location: await fulfilment.location(),
})
const chairs = (quantity: number) => ({ items: [{ sku: 'CHAIR', quantity }] })

test('what is on back-order at the source cannot leave it, and so arrive from nowhere', async () => {
  const from = await fulfilment.location({ CHAIR: 1 }, { allow_backorder: true })
  const body = { from_location: from, to_location: await fulfilment.location(), ...chairs(5) }
  const { id } = (await call('POST', path, body)).json<{ id: number }>()
  for (const action of ['transition', 'ready'])
    expect((await call('POST', `${path}${id}/${action}/`)).statusCode).toBe(200)
  const refused = await call('POST', `${path}${id}/dispatch/`)
  expect(refused.statusCode).toBe(400)
  expect(refused.json()).toMatchObject({
    code: 'insufficient_stock',
    non_field_errors: [expect.stringContaining('CHAIR (5 wanted, 1 available)')],
    allowed_actions: ['dispatch', 'cancel'],
  })
  await call('POST', `/api/v1/stock_locations/${from}/stock/`, { sku: 'CHAIR', quantity: 4, reason: 'delivered' })
  expect((await call('POST', `${path}${id}/dispatch/`)).statusCode).toBe(200)
})

describe('creating a transfer', () => {
  test('answers it, numbered, with its event', async () => {
    const between = await ends()
    const items = [
      { sku: 'DESK', quantity: 1 },
      { sku: 'CHAIR', quantity: 2 },
    ]
    const answer = await call('POST', path, { ...between, items })
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toEqual({
      id: expect.any(Number),
      number: expect.stringMatching(/^T-\d{4}-\d{6}$/),
      ...between,
      package: null,
      shipment: null,
      status: 'created',
      items: items.map((item) => ({ ...item, received: 0 })),
      created_date: expect.any(String),
      modified_date: expect.any(String),
      allowed_actions: ['transition', 'cancel'],
      blocked_actions: expect.objectContaining({ receive: expect.any(String) }),
    })
    const { allowed_actions: _, blocked_actions: __, ...data } = answer.json()
    const [event, ...more] = await eventsOf(data.id)
    expect(event).toMatchObject({ type: 'transfer.status.created', sequence: 1, scope: 'back-office' })
    expect(JSON.parse(event?.body ?? '').data).toEqual(data)
    expect(more).toEqual([])
    expect((await call('GET', `${path}${data.id}`)).json()).toEqual(answer.json())
  })

  test('takes what was read, and ignores what cannot be set', async () => {
    const read = (await call('GET', `${path}${(await fulfilment.transferIn('transferred')).id}/`)).json()
    const answer = await call('POST', path, read)
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({ status: 'created', items: [{ sku: 'CHAIR', quantity: 3, received: 0 }] })
    expect(answer.json().number).not.toBe(read.number)
  })

  test('happens once for one idempotency key', async () => {
    const body = { ...(await ends()), ...chairs(1) }
    const send = () => call('POST', path, body, { 'idempotency-key': 'transfer-1' })
    const [first, second] = [await send(), await send()]
    expect(second.json()).toEqual(first.json())
    expect(await eventsOf(first.json().id)).toHaveLength(1)
  })

  test.each([
    ['no items', { items: [] }, 'items'],
    ['an unknown sku', { items: [{ sku: 'NEVER-SEEN', quantity: 1 }] }, 'items.0.sku'],
    ['the same sku twice', { items: [...chairs(1).items, ...chairs(2).items] }, 'items.1.sku'],
    ['a quantity of nothing', chairs(0), 'items.0.quantity'],
    ['a negative quantity', chairs(-1), 'items.0.quantity'],
    ['too many pieces', chairs(1_000_001), 'items.0.quantity'],
    ['a broken piece', chairs(1.5), 'items.0.quantity'],
    ['an unknown field of an item', { items: [{ sku: 'CHAIR', quantity: 1, colour: 'red' }] }, 'items.0.colour'],
    ['an unknown source', { from_location: 999_999 }, 'from_location'],
    ['an unknown destination', { to_location: 999_999 }, 'to_location'],
    ['a location that is no id', { to_location: 'x' }, 'to_location'],
    ['no source', { from_location: undefined }, 'from_location'],
    ['an unknown package', { package: 999_999 }, 'package'],
    ['a carrier without a package', { carrier: 'DHL' }, 'carrier'],
    ['an awb number without a package', { awb_number: 'A' }, 'awb_number'],
    ['a tracking URL without a package', { tracking_url: 'https://carrier.example/' }, 'tracking_url'],
    ['an unknown field', { colour: 'red' }, 'colour'],
  ])('refuses %s', async (_, fields, field) => {
    const answer = await call('POST', path, { ...(await ends()), ...chairs(1), ...fields })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ [field]: [expect.stringMatching(/^[A-Z].*\.$/)] })
  })

  test.each([
    ['an awb number of 65 characters', { awb_number: 'x'.repeat(65) }, 'awb_number'],
    ['an empty awb number', { awb_number: '' }, 'awb_number'],
    ['a blank carrier', { carrier: ' ' }, 'carrier'],
    ['a tracking URL that is a script', { tracking_url: 'javascript:alert(1)' }, 'tracking_url'],
  ])('for a package refuses %s', async (_, fields, field) => {
    const parcel = await fulfilment.packageIn('created')
    const answer = await call('POST', path, { ...(await ends()), ...chairs(1), package: parcel.id, ...fields })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ [field]: [expect.stringMatching(/^[A-Z].*\.$/)] })
  })

  test('refuses to go where it comes from', async () => {
    const { from_location } = await ends()
    const answer = await call('POST', path, { from_location, to_location: from_location, ...chairs(1) })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ to_location: [expect.stringContaining('another location')] })
  })

  test.each(['from_location', 'to_location'] as const)('refuses an inactive %s', async (field) => {
    const between = await ends()
    await call('PATCH', `/api/v1/stock_locations/${between[field]}/`, { is_active: false })
    const answer = await call('POST', path, { ...between, ...chairs(1) })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ [field]: [expect.stringContaining('not active')] })
  })
})

describe('moving a transfer', () => {
  test('puts aside no more than there is', async () => {
    const { id, from_location } = await fulfilment.transferIn('created', chairs(11))
    const answer = await call('POST', `${path}${id}/transition/`)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({
      non_field_errors: [expect.stringContaining('CHAIR (11 wanted, 10 available)')],
      code: 'insufficient_stock',
      allowed_actions: ['transition', 'cancel'],
    })
    expect(await fulfilment.balance(from_location, 'CHAIR')).toMatchObject({ on_hand: 10, allocated: 0 })
    expect(await eventsOf(id)).toHaveLength(1)
  })

  test('puts aside more than there is where back-orders are allowed', async () => {
    const source = await fulfilment.location({ CHAIR: 1 }, { allow_backorder: true })
    await fulfilment.transferIn('ready_to_shipment', { from_location: source, ...chairs(4) })
    expect(await fulfilment.balance(source, 'CHAIR')).toMatchObject({ on_hand: 1, allocated: 4 })
  })

  test('that is short leaves the reason in the ledger and the history', async () => {
    const items = [
      { sku: 'CHAIR', quantity: 3 },
      { sku: 'DESK', quantity: 2 },
    ]
    const between = await ends()
    const { id, number } = await fulfilment.transferIn('in_transit', { ...between, items })
    const received = await fulfilment.actOnTransfer(id, 'receive', {
      items: [{ sku: 'CHAIR', received: 2 }],
      reason: 'Fell off the lorry',
    })
    expect(received.items).toEqual([
      { sku: 'CHAIR', quantity: 3, received: 2 },
      { sku: 'DESK', quantity: 2, received: 0 },
    ])
    const entries = await database.db
      .selectFrom('stockEntries')
      .select(['sku', 'kind', 'onHand', 'cause'])
      .where('locationId', '=', between.to_location)
      .orderBy('id')
      .execute()
    const cause = `${number}: Fell off the lorry`
    expect(entries).toEqual([
      { sku: 'CHAIR', kind: 'transfer_in', onHand: 3, cause: number },
      { sku: 'DESK', kind: 'transfer_in', onHand: 2, cause: number },
      { sku: 'CHAIR', kind: 'write_off', onHand: -1, cause },
      { sku: 'DESK', kind: 'write_off', onHand: -2, cause },
    ])
    const history = (await call('GET', `${path}${id}/history/`)).json<{ reason: string | null }[]>()
    expect(history.at(-1)).toMatchObject({ action: 'receive', reason: 'Fell off the lorry', disposition: null })
  })

  test.each([
    ['less without a reason', { items: [{ sku: 'CHAIR', received: 2 }] }, 'reason'],
    ['more than was sent', { items: [{ sku: 'CHAIR', received: 4 }] }, 'items.0.received'],
    ['less than nothing', { items: [{ sku: 'CHAIR', received: -1 }], reason: 'x' }, 'items.0.received'],
    ['what was not sent', { items: [{ sku: 'DESK', received: 1 }], reason: 'x' }, 'items.0.sku'],
    ['no number', { items: [{ sku: 'CHAIR' }] }, 'items.0.received'],
    ['a blank reason', { items: [], reason: ' ' }, 'reason'],
    ['an empty reason', { items: [], reason: '' }, 'reason'],
    ['a reason of 256 characters', { items: [], reason: 'x'.repeat(256) }, 'reason'],
    ['a disposition', { disposition: 'return' }, 'disposition'],
  ])('receives never %s', async (_, body, field) => {
    const { id, to_location } = await fulfilment.transferIn('in_transit')
    const answer = await call('POST', `${path}${id}/receive/`, body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ [field]: [expect.stringMatching(/^[A-Z].*\.$/)] })
    expect(await fulfilment.balance(to_location, 'CHAIR')).toBeUndefined()
    expect((await call('GET', `${path}${id}/`)).json()).toMatchObject({ status: 'in_transit' })
  })

  test('asks for a disposition of what is under way, and of nothing else', async () => {
    const { id } = await fulfilment.transferIn('in_transit')
    for (const body of [undefined, {}, { disposition: 'restock' }]) {
      const answer = await call('POST', `${path}${id}/cancel/`, body)
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toEqual({ disposition: [expect.any(String)] })
    }
    for (const status of ['created', 'transitioned', 'ready_to_shipment'] as const) {
      const early = await fulfilment.transferIn(status)
      const answer = await call('POST', `${path}${early.id}/cancel/`, { disposition: 'return' })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toEqual({ disposition: [expect.any(String)] })
    }
  })

  test('refuses fields it does not know', async () => {
    const { id } = await fulfilment.transferIn('created')
    const answer = await call('POST', `${path}${id}/transition/`, { stock_location: 1 })
    expect(answer.json()).toEqual({ stock_location: ['Unknown field.'] })
  })
})

describe('of two operators at once', () => {
  test.each([
    ['transition', 'transition', 'created'],
    ['transition', 'cancel', 'created'],
    ['ready', 'cancel', 'transitioned'],
    ['dispatch', 'cancel', 'ready_to_shipment'],
    ['receive', 'receive', 'in_transit'],
    ['cancel', 'cancel', 'ready_to_shipment'],
  ] as const)('%s and %s of a transfer that is %s never both count from there', async (one, other, status) => {
    const transfer = await fulfilment.transferIn(status)
    const before = await eventsOf(transfer.id)
    const answers = await Promise.all([one, other].map((action) => call('POST', `${path}${transfer.id}/${action}/`)))
    const done = answers.filter(({ statusCode }) => statusCode === 200)
    const after = await eventsOf(transfer.id)
    expect(after).toHaveLength(before.length + done.length)
    expect(after.map(({ sequence }) => sequence)).toEqual(after.map((_, index) => index + 1))
    const history = (await call('GET', `${path}${transfer.id}/history/?limit=100`)).json<
      { from_status: string | null; to_status: string }[]
    >()
    // Each change starts where the one before it ended: none was made from what the other had left.
    expect(history.map((entry) => entry.from_status)).toEqual([
      null,
      ...history.slice(0, -1).map((entry) => entry.to_status),
    ])
    expect(answers.every(({ statusCode }) => [200, 400].includes(statusCode))).toBe(true)
  })

  test('8 who receive the same transfer get it once', async () => {
    const { id, to_location } = await fulfilment.transferIn('in_transit')
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('POST', `${path}${id}/receive/`)))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(await fulfilment.balance(to_location, 'CHAIR')).toMatchObject({ on_hand: 3 })
  })

  test('30 transfers and packages that want a stock of 20 get exactly that', async () => {
    const [from, to] = [await fulfilment.location({ CHAIR: 20 }), await fulfilment.location()]
    const parcel = { order_number: 'O-20', stock_location: from, ...chairs(1) }
    const plan = { from_location: from, to_location: to, ...chairs(1) }
    const urls = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const [url, body] = index % 2 === 0 ? ['/api/v1/packages/', parcel] : [path, plan]
        return `${url}${(await fulfilment.post<{ id: number }>(url, body)).id}/transition/`
      }),
    )
    const answers = await Promise.all(urls.map((url) => call('POST', url)))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(20)
    expect(await fulfilment.balance(from, 'CHAIR')).toMatchObject({ on_hand: 20, allocated: 20, available: 0 })
  })
})

test('the history says who did what', async () => {
  const { id } = await fulfilment.transferIn('in_transit')
  await fulfilment.actOnTransfer(id, 'cancel', { disposition: 'write_off' })
  const me = (await call('GET', '/api/v1/auth/me/')).json<{ id: number }>().id
  const history = await call('GET', `${path}${id}/history/?limit=100`)
  expect(history.headers['x-total-count']).toBe('5')
  const entry = { reason: null, disposition: null, actor: me, created_date: expect.any(String) }
  expect(history.json()).toEqual([
    { ...entry, action: 'create', from_status: null, to_status: 'created' },
    { ...entry, action: 'transition', from_status: 'created', to_status: 'transitioned' },
    { ...entry, action: 'ready', from_status: 'transitioned', to_status: 'ready_to_shipment' },
    { ...entry, action: 'dispatch', from_status: 'ready_to_shipment', to_status: 'in_transit' },
    { ...entry, action: 'cancel', from_status: 'in_transit', to_status: 'cancelled', disposition: 'write_off' },
  ])
})

describe('the list', () => {
  test('finds by every filter, and pages', async () => {
    const [a, b, c] = [
      await fulfilment.location({ CHAIR: 9, DESK: 9 }),
      await fulfilment.location(),
      await fulfilment.location(),
    ]
    const parcel = await fulfilment.packageIn('created')
    const make = (to: number, sku: string, fields: object = {}) =>
      fulfilment.post<TransferBody>(path, {
        from_location: a,
        to_location: to,
        items: [{ sku, quantity: 1 }],
        ...fields,
      })
    const one = await make(b, 'CHAIR')
    const two = await make(c, 'DESK', { package: parcel.id })
    const three = await make(c, 'CHAIR')
    await fulfilment.actOnTransfer(three.id, 'cancel')
    const ids = async (query: string) =>
      (await call('GET', `${path}?from_location=${a}&${query}`)).json().map((row: TransferBody) => row.id)

    expect(await ids('')).toEqual([three.id, two.id, one.id])
    expect(await ids('ordering=id')).toEqual([one.id, two.id, three.id])
    expect(await ids(`to_location=${c}`)).toEqual([three.id, two.id])
    expect(await ids(`package=${parcel.id}`)).toEqual([two.id])
    expect(await ids('sku=CHAIR')).toEqual([three.id, one.id])
    expect(await ids('status=cancelled')).toEqual([three.id])
    expect(await ids('status=cancelled&status=created')).toEqual([three.id, two.id, one.id])
    expect(await ids(`number=${one.number}`)).toEqual([one.id])
    expect(await ids('created_date__lt=2000-01-01 00:00:00')).toEqual([])
    expect(await ids('created_date__gte=2000-01-01T00:00:00Z&limit=1&page=2')).toEqual([two.id])
    const page = await call('GET', `${path}?from_location=${a}&limit=1&page=2`)
    expect(page.headers['x-total-count']).toBe('3')
    expect(page.headers['link']).toMatch(/page=1>; rel="first".*page=3>; rel="next"/)
  })

  test.each([
    'page=0',
    'limit=1001',
    'status=lost',
    'from_location=x',
    'to_location=0',
    'package=x',
    'ordering=colour',
    'created_date__gte=yesterday',
  ])('refuses %s', async (query) => {
    const answer = await call('GET', `${path}?${query}`)
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json())).toEqual([expect.stringMatching(new RegExp(`^${query.split('=', 1).join('')}`))])
  })
})

test('unknown and malformed ids in the path are 404', async () => {
  for (const id of ['999999', '0', 'x', '-1', '99999999999999999999']) {
    expect((await call('GET', `${path}${id}/`)).statusCode).toBe(404)
    expect((await call('GET', `${path}${id}/history/`)).statusCode).toBe(404)
    expect((await call('POST', `${path}${id}/transition/`, {})).statusCode).toBe(404)
  }
})

test('nobody gets in without a credential, and a key that may only read cannot write', async () => {
  expect((await call('POST', path, {}, { authorization: '' })).statusCode).toBe(401)
  const { key } = (
    await call('POST', '/api/v1/auth/api-keys/', { name: 'reader', scopes: ['order-management:read'] })
  ).json<{ key: string }>()
  const headers = { authorization: `Api-Key ${key}` }
  expect((await call('GET', path, undefined, headers)).statusCode).toBe(200)
  expect((await call('POST', path, {}, headers)).statusCode).toBe(403)
})
