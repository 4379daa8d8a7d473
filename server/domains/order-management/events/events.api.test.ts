import { beforeEach, describe, expect, test } from 'vitest'
import { orderManagementEvents } from '#events/order-management.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const clock = makeFakeClock()
const testApp = await makeTestApp({ clock })
const { call, app, database, superuser } = testApp
const { db } = database
const people = makePeople(testApp)
const data = orderManagementEvents['package.created'].example
let lastId = 0
const newId = (): string => `id-${(lastId += 1)}`

const event = (fields: object = {}) => ({ id: newId(), type: 'package.created', data, ...fields })
const raise = (body: unknown, headers?: Record<string, string>) => call('POST', '/api/v1/events/', body, headers)
const raiseStrictly = (body: unknown) => call('POST', '/api/v1/events/?strict=true', body)
const stored = () => db.selectFrom('events').selectAll().orderBy('id').execute()
const bodies = async () =>
  (await stored()).map(({ body }) => JSON.parse(body) as { type: string; timestamp: string; data: unknown })
const idsKept = async () =>
  (await db.selectFrom('externalEvents').select('id').orderBy('id').execute()).map(({ id }) => id)
/** For what `JSON.stringify` cannot write. */
const raiseText = (payload: string | Buffer) =>
  app.inject({
    method: 'POST',
    url: '/api/v1/events/',
    payload,
    headers: { authorization: superuser.authorization, 'content-type': 'application/json' },
  })

beforeEach(async () => {
  await db.deleteFrom('events').execute()
  await db.deleteFrom('externalEvents').execute()
})

describe('what is raised', () => {
  test('is one event, stored as it was sent with its object and its number', async () => {
    const answer = await raise(event())
    expect(answer.statusCode).toBe(202)
    expect(answer.json()).toEqual({ accepted: 1, duplicates: 0 })
    expect(await stored()).toMatchObject([
      { scope: 'back-office', type: 'package.created', objectType: 'package', objectId: '7', occurredAt: clock.now() },
    ])
    expect(await bodies()).toEqual([{ type: 'package.created', timestamp: clock.now().toISOString(), data }])
  })

  test('is many in one request, in their order, numbered among those of their object', async () => {
    await db.deleteFrom('events').execute()
    const of = (id: number, type: string) => event({ type, data: { ...data, id } })
    const answer = await raise([
      of(501, 'package.created'),
      of(502, 'package.created'),
      of(501, 'package.status.packed'),
    ])
    expect(answer.json()).toEqual({ accepted: 3, duplicates: 0 })
    const rows = await stored()
    expect(rows.map(({ type, objectId, sequence }) => [type, objectId, sequence])).toEqual([
      ['package.created', '501', 1],
      ['package.created', '502', 1],
      ['package.status.packed', '501', 2],
    ])
  })

  test.each(Object.entries(orderManagementEvents))('can be %s', async (type, { about, example }) => {
    expect((await raise(event({ type, data: example }))).json()).toEqual({ accepted: 1, duplicates: 0 })
    expect(await stored()).toMatchObject([{ type, objectType: about, objectId: String(example.id) }])
  })

  test('can be named with hyphens, and is stored and told with dots', async () => {
    await raise(event({ type: 'package-status-packed_for_refund' }))
    expect((await bodies()).map(({ type }) => type)).toEqual(['package.status.packed_for_refund'])
  })

  test('keeps fields that the catalogue does not know, and the order of all', async () => {
    const more = { zone: 'B4', ...data, carrier_notes: { fragile: true, ışık: '🎁' } }
    await raise(event({ data: more }))
    const [row] = await stored()
    expect(row?.body).toBe(
      JSON.stringify({ type: 'package.created', timestamp: clock.now().toISOString(), data: more }),
    )
  })

  test('can be a thousand', async () => {
    const answer = await raise(Array.from({ length: 1_000 }, () => event()))
    expect(answer.json()).toEqual({ accepted: 1_000, duplicates: 0 })
  })
})

describe('what it is about', () => {
  const objects = async () =>
    (await stored()).map(({ objectType, objectId, sequence }) => [objectType, objectId, sequence])

  test('is what object names, and its events are numbered', async () => {
    const object = { type: 'crm.Customer-1', id: 'A/7' }
    await raise([event({ object }), event({ object }), event({ object: { type: 'parcel', id: -7 } })])
    expect(await objects()).toEqual([
      ['crm.Customer-1', 'A/7', 1],
      ['crm.Customer-1', 'A/7', 2],
      ['parcel', '-7', 1],
    ])
  })

  test.each<[string, object, string]>([
    ['data.id of any text', { id: 'P-9' }, 'P-9'],
    ['data.id of a number', { id: 12 }, '12'],
    ['the id of the event without it', {}, 'own-id'],
    ['the id of the event where data.id is no id', { id: { a: 1 } }, 'own-id'],
    ['the id of the event where data.id is empty', { id: '' }, 'own-id'],
    ['the id of the event where data.id is too long', { id: 'x'.repeat(201) }, 'own-id'],
    ['the id of the event where data.id is a fraction', { id: 1.5 }, 'own-id'],
  ])('is, without object, the package of %s', async (_, fields, id) => {
    expect((await raise(event({ id: 'own-id', data: fields }))).statusCode).toBe(202)
    expect((await objects()).map(([type, object]) => [type, object])).toEqual([['package', id]])
  })

  test.each<[unknown, string]>([
    [{ type: 'customer' }, 'object.id'],
    [{ type: '', id: 1 }, 'object.type'],
    [{ type: 'a b', id: 1 }, 'object.type'],
    [{ type: 'a', id: '' }, 'object.id'],
    [{ type: 'a', id: 1.5 }, 'object.id'],
    [{ type: 'a', id: 2 ** 53 }, 'object.id'],
    [{ type: 'a', id: 1, more: 1 }, 'object.more'],
    ['customer', 'object'],
  ])('is not %j', async (object, field) => {
    const answer = await raise(event({ object }))
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, [field]])
  })

  test('makes another event of the same id and data', async () => {
    const one = event({ object: { type: 'customer', id: 7 } })
    await raise(one)
    expect((await raise({ ...one, object: { id: '7', type: 'customer' } })).json()).toEqual({
      accepted: 0,
      duplicates: 1,
    })
    expect((await raiseStrictly(one)).json()).toEqual({ accepted: 0, duplicates: 1 })
    expect((await raise({ ...one, object: { type: 'customer', id: 8 } })).statusCode).toBe(409)
    expect((await raise({ ...one, object: undefined })).statusCode).toBe(409)
  })
})

test('data of a type of the catalogue is any object, unless strict is asked for', async () => {
  const odd = { status: 'lost', number: 7 }
  expect((await raise(event({ data: odd }))).statusCode).toBe(202)
  expect((await bodies()).map(({ data: told }) => told)).toEqual([odd])
  expect((await raiseStrictly(event({ data: odd }))).statusCode).toBe(400)
  expect((await call('POST', '/api/v1/events/?strikt=true', event())).statusCode).toBe(400)
})

describe('a timestamp', () => {
  test.each([
    ['2026-11-20T12:00:00+03:00', '2026-11-20T09:00:00.000Z'],
    ['2026-11-20 12:00:00', '2026-11-20T12:00:00.000Z'],
    ['2019-02-28T00:00:00.5Z', '2019-02-28T00:00:00.500Z'],
  ])('of %s is told as %s', async (timestamp, told) => {
    expect((await raise(event({ timestamp }))).statusCode).toBe(202)
    expect((await bodies()).map((body) => body.timestamp)).toEqual([told])
    expect((await stored()).map(({ occurredAt }) => occurredAt)).toEqual([clock.now()])
  })

  test('may be up to five minutes ahead', async () => {
    const ahead = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()
    expect((await raise(event({ timestamp: ahead(300_000) }))).statusCode).toBe(202)
    const answer = await raise(event({ timestamp: ahead(300_001) }))
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ timestamp: ['This is more than 5 minutes in the future.'] })
  })

  test.each(['yesterday', '2026-02-30T00:00:00Z', '2026-11-20', '', '2026-11-20T25:00:00Z'])(
    'is not %j',
    async (timestamp) => {
      const answer = await raise([event(), event({ timestamp })])
      expect(answer.json()).toEqual({ '1.timestamp': ['Expected a date and time such as 2026-11-21T09:30:00Z.'] })
    },
  )
})

describe('an id', () => {
  test('that was used with the same content is a duplicate, and raises nothing', async () => {
    const [one, two] = [event(), event({ timestamp: '2026-11-20T12:00:00Z' })]
    await raise(one)
    expect((await raise(one)).json()).toEqual({ accepted: 0, duplicates: 1 })
    expect((await raise([two, one])).json()).toEqual({ accepted: 1, duplicates: 1 })
    expect((await raise([two, one])).json()).toEqual({ accepted: 0, duplicates: 2 })
    expect(await stored()).toHaveLength(2)
  })

  test('stands for its content, however that is written', async () => {
    const one = event({ type: 'package-created', timestamp: '2026-11-20T12:00:00Z' })
    await raise(one)
    const again = {
      data: Object.fromEntries(Object.entries(data).toReversed()),
      timestamp: '2026-11-20 12:00:00',
      type: 'package.created',
      id: one.id,
    }
    expect((await raise(again)).json()).toEqual({ accepted: 0, duplicates: 1 })
  })

  test.each([
    ['data', { data: { ...data, number: 'P-2' } }],
    ['type', { type: 'package.status.packed' }],
    ['timestamp', { timestamp: '2026-11-20T12:00:00Z' }],
  ])('that was used with another %s is a conflict, and nothing is raised', async (_, fields) => {
    const [one, other] = [event(), event()]
    await raise(one)
    const answer = await raise([other, { ...one, ...fields }])
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toEqual({
      non_field_errors: [`These ids stand for other events already: ${one.id}.`],
      code: 'event_id_reused',
    })
    expect(await idsKept()).toEqual([one.id])
    expect(await stored()).toHaveLength(1)
    expect((await raise(other)).json()).toEqual({ accepted: 1, duplicates: 0 })
  })

  test('twice in a request is one event and a duplicate, or with another content a conflict', async () => {
    const one = event()
    expect((await raise([one, event(), one, one])).json()).toEqual({ accepted: 2, duplicates: 2 })
    const [two, three] = [event(), event()]
    const answer = await raise([two, three, { ...two, data: { ...data, number: 'P-2' } }])
    expect(answer.statusCode).toBe(409)
    expect(answer.json().non_field_errors[0]).toContain(two.id)
    expect(await stored()).toHaveLength(2)
  })

  test('of many conflicts names the first twenty', async () => {
    const events = Array.from({ length: 25 }, () => event())
    await raise(events)
    const answer = await raise(events.map((one) => ({ ...one, data: { ...data, number: 'P-2' } })))
    expect(answer.json().non_field_errors[0]).toMatch(/(id-\d+, ){19}id-\d+ and 5 more\.$/)
  })

  test('belongs to its caller', async () => {
    const one = event()
    const other = await people.authorization(await people.person({ is_staff: true }))
    await raise(one)
    expect((await raise({ ...one, data: { ...data, number: 'P-2' } }, other)).json()).toEqual({
      accepted: 1,
      duplicates: 0,
    })
    expect((await raise(one)).json()).toEqual({ accepted: 0, duplicates: 1 })
  })

  test('of up to 128 characters of any kind is one, and is compared as it is', async () => {
    const ids = ['x', 'X', ' ', '  ', 'ı', 'i', '🎁'.repeat(128), '{"a":1}', '{a,b}', 'null', '\\', '\n', "'; --"]
    expect((await raise(ids.map((id) => event({ id })))).json()).toEqual({ accepted: ids.length, duplicates: 0 })
    expect((await raise(ids.map((id) => event({ id })))).json()).toEqual({ accepted: 0, duplicates: ids.length })
    expect((await idsKept()).toSorted()).toEqual(ids.toSorted())
  })

  test.each<[unknown, string]>([
    ['', 'This field may not be empty.'],
    ['x'.repeat(129), 'Use at most 128 characters.'],
    [7, 'Expected a string.'],
    [null, 'Expected a string.'],
    [undefined, 'This field is required.'],
  ])('is not %j', async (id, message) => {
    expect((await raise(event({ id }))).json()).toEqual({ id: [message] })
  })

  test('of requests at the same time is accepted once, whatever the order', async () => {
    const events = Array.from({ length: 60 }, (_, index) => event({ data: { ...data, id: 900 + (index % 7) } }))
    const requests = Array.from({ length: 20 }, (_, index) => {
      const from = index * 3
      const some = [...events.slice(from), ...events.slice(0, from)].slice(0, 40)
      return index % 2 === 0 ? some : some.toReversed()
    })
    const answers = await Promise.all(requests.map((some) => raise(some)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 202))
    const sums = answers.map((answer) => answer.json<{ accepted: number; duplicates: number }>())
    expect(sums.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(60)
    expect(sums.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(20 * 40 - 60)
    expect(await stored()).toHaveLength(60)
    expect(await idsKept()).toHaveLength(60)
  })
})

describe('nothing is raised', () => {
  test('when the last of a thousand is not valid', async () => {
    const events = Array.from({ length: 1_000 }, () => event())
    const answer = await raiseStrictly([...events.slice(0, 999), event({ data: { ...data, status: 'lost' } })])
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({
      '999.data.status': ['Expected one of: created, transitioned, packed, shipped, packed_for_refund, cancelled.'],
    })
    expect([await stored(), await idsKept()]).toEqual([[], []])
    expect((await raise(events)).json()).toEqual({ accepted: 1_000, duplicates: 0 })
  })

  test.each<[string, unknown, number, object]>([
    ['an empty list', [], 400, { non_field_errors: ['This list may not be empty.'] }],
    ['a text', '"package.created"', 400, { non_field_errors: ['Expected an object or a list.'] }],
    ['lists of lists', [[]], 400, { '0': ['Expected an object.'] }],
    ['a field nobody knows', [event({ id: 'a', kind: 1 })], 400, { '0.kind': ['Unknown field.'] }],
    ['no data', [{ id: 'a', type: 'package.created' }], 400, { '0.data': ['This field is required.'] }],
    ['data that is a list', event({ data: [] }), 400, { data: ['Expected an object.'] }],
    [
      'an event of the engine',
      event({ type: 'webhook.failing' }),
      400,
      { type: ['Waybill alone raises this event; it cannot be raised from outside.'] },
    ],
    [
      'a slip of the pen',
      event({ type: 'package.status.pakced' }),
      400,
      { type: [expect.stringMatching(/Did you mean package\.status\.packed/)] },
    ],
    [
      'the name of something else',
      event({ type: 'constructor' }),
      400,
      { type: [expect.stringMatching(/no event of this name/)] },
    ],
  ])('of %s', async (_, body, status, expected) => {
    const answer = typeof body === 'string' ? await raiseText(body) : await raise(body)
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual(expected)
    expect(await stored()).toEqual([])
  })

  test('of data that its type does not have, when strict is asked for, and it is named field by field', async () => {
    const { number: _, ...without } = data
    const wrong = {
      ...without,
      id: 0,
      items: [
        { sku: 'A', quantity: 1 },
        { sku: 'B', quantity: 1.5 },
      ],
      created_date: 'today',
    }
    const expected = {
      'data.number': ['This field is required.'],
      'data.id': ['Must be at least 1.'],
      'data.items.1.quantity': ['Expected an integer.'],
      'data.created_date': ['Expected a date and time such as 2026-11-21T09:30:00Z.'],
    }
    expect((await raiseStrictly(event({ data: wrong }))).json()).toEqual(expected)
    const many = Object.fromEntries(Object.entries(expected).map(([field, messages]) => [`2.${field}`, messages]))
    expect((await raiseStrictly([event(), event(), event({ data: wrong })])).json()).toEqual(many)
  })

  test('and at most twenty fields are named', async () => {
    const answer = await raiseStrictly(
      Array.from({ length: 30 }, () => event({ data: { ...data, id: 'x', number: 1, items: {} } })),
    )
    expect(Object.keys(answer.json())).toHaveLength(20)
  })

  test('of more than a thousand, whatever is in them', async () => {
    const answer = await raise([...Array.from({ length: 1_000 }, () => event()), 'x'])
    expect(answer.statusCode).toBe(413)
    expect(answer.json()).toEqual({ detail: 'Send at most 1,000 events in one request; these are 1001.' })
  })

  test('of more than 1 MiB', async () => {
    const answer = await raise(event({ data: { ...data, number: 'x'.repeat(1_048_576) } }))
    expect(answer.statusCode).toBe(413)
  })
})

describe('a value that could not be delivered as it was sent', () => {
  const withNumber = (text: string): string =>
    JSON.stringify(event({ data: { ...data, number: 'HERE' } })).replace('"HERE"', text)
  test.each([
    ['NUL', String.raw`"a\u0000b"`, 'data.number', /NUL/],
    ['half of a surrogate pair', String.raw`"\ud83d"`, 'data.number', /surrogate/],
    ['a number beyond a double', '1e400', 'data.number', /out of range/],
  ])('is %s', async (_, text, field, message) => {
    const answer = await raiseText(withNumber(text))
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ [field]: [expect.stringMatching(message)] })
  })

  test.each(['9007199254740993', '-9007199254740993', '1e21', '1e300'])('is the number %s', async (text) => {
    const more = JSON.stringify([event(), event({ data: { ...data, more: [{ weight: 'HERE' }] } })])
    const answer = await raiseText(more.replace('"HERE"', text))
    expect(answer.json()).toEqual({ '1.data.more.0.weight': ['The number does not fit in 53 bits; use a text.'] })
    const asId = await raiseText(JSON.stringify(event({ data: { ...data, id: 'HERE' } })).replace('"HERE"', text))
    expect(Object.keys(asId.json())).toEqual(['data.id'])
  })

  test('is not a number at the limit of 53 bits, or a fraction', async () => {
    const more = { ...data, id: Number.MAX_SAFE_INTEGER, weight: 0.1, tiny: 5e-324 }
    expect((await raise(event({ data: more }))).statusCode).toBe(202)
    expect((await bodies())[0]?.data).toEqual(more)
  })

  test('is NUL in an id or in a name of a field', async () => {
    expect((await raiseText(JSON.stringify(event({ id: 'a\0' })))).json()).toEqual({
      id: ['NUL characters are not allowed.'],
    })
    expect((await raiseText(JSON.stringify(event({ data: { ...data, 'a\0': 1 } })))).statusCode).toBe(400)
  })
})

describe('who may raise events', () => {
  const withScopes = async (...scopes: string[]) => {
    const answer = await call('POST', '/api/v1/auth/api-keys/', { name: 'WMS', scopes })
    return { authorization: `Api-Key ${answer.json<{ key: string }>().key}` }
  }

  test('is staff, and a key with the scope for it, before anything is said of the body', async () => {
    const staff = await people.authorization(await people.person({ is_staff: true }))
    const buyer = await people.authorization(await people.person())
    const statuses = await Promise.all(
      [
        await withScopes('events:write'),
        staff,
        buyer,
        await withScopes('order-management:write', 'hooks:write'),
        { authorization: 'Token nobody' },
      ].map(async (who) => [(await raise(event(), who)).statusCode, (await raise([], who)).statusCode]),
    )
    expect(statuses).toEqual([
      [202, 400],
      [202, 400],
      [403, 403],
      [403, 403],
      [401, 401],
    ])
  })
})

test('a request that is repeated with its Idempotency-Key gets the first answer', async () => {
  const one = event()
  const headers = { 'idempotency-key': 'import-1' }
  expect((await raise(one, headers)).json()).toEqual({ accepted: 1, duplicates: 0 })
  const again = await raise(one, headers)
  expect([again.statusCode, again.json()]).toEqual([202, { accepted: 1, duplicates: 0 }])
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect((await raise(event(), headers)).statusCode).toBe(409)
})
