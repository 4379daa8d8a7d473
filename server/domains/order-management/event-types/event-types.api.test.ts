import { beforeEach, describe, expect, test } from 'vitest'
import { runBounded } from '#platform/bounded-run.ts'
import { eventually } from '#testing/eventually.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { makeKnownTypes } from './known-types.ts'

const testApp = await makeTestApp()
const { call, database } = testApp
const { db } = database
const people = makePeople(testApp)
const path = '/api/v1/event_types/'
const type = {
  name: 'crm.customer.updated',
  description: 'A customer changes.',
  schema: {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, tags: { type: 'array', items: { $ref: '#/$defs/tag' } } },
    $defs: { tag: { type: 'string', pattern: '^[a-z]+$' } },
  },
  example: { id: 7, tags: ['new'] },
}
const make = (fields: object = {}) => call('POST', path, { ...type, ...fields })
let lastId = 0
const event = (fields: object = {}) => ({ id: `e${(lastId += 1)}`, type: type.name, data: { id: 7 }, ...fields })
const raise = (body: unknown) => call('POST', '/api/v1/events/', body)
const hook = (eventType: unknown) =>
  call('POST', '/whisperer/hooks/', { event_type: eventType, target_url: `http://127.0.0.1:4109/${(lastId += 1)}` })

/** A schema that is checked twice as often at each depth. */
const exponential = (depth: number) => ({
  $ref: '#/$defs/a0',
  $defs: Object.fromEntries(
    Array.from({ length: depth + 1 }, (_, n) => {
      const next = { $ref: `#/$defs/a${n + 1}` }
      return [`a${n}`, n === depth ? {} : { allOf: [next, next] }]
    }),
  ),
})

beforeEach(async () => {
  for (const { id } of (await call('GET', '/whisperer/hooks/')).json<{ id: number }[]>())
    await call('DELETE', `/whisperer/hooks/${id}/`)
  for (const { name } of (await call('GET', `${path}?limit=1000`)).json<{ name: string }[]>())
    await call('DELETE', `${path}${name}/`)
  await db.deleteFrom('events').execute()
})

describe('a type', () => {
  test('is deleted whatever body is sent with that', async () => {
    await make()
    for (const [schema, status] of [
      ['text', 204],
      ['text', 404],
    ] as const)
      expect((await call('DELETE', `${path}${type.name}/`, { schema })).statusCode).toBe(status)
  })

  test('is made, read, listed, changed and deleted', async () => {
    const made = await make({ name: 'crm-customer-updated' })
    expect(made.statusCode).toBe(201)
    const record = { ...type, is_active: true, created_date: expect.any(String), modified_date: expect.any(String) }
    expect(made.json()).toEqual(record)
    expect(made.headers['location']).toMatch(/\/api\/v1\/event_types\/crm\.customer\.updated\/$/)
    expect((await call('GET', `${path}crm-customer-updated/`)).json()).toEqual(made.json())
    expect((await call('GET', path)).json()).toEqual([made.json()])
    const changed = await call('PATCH', `${path}${type.name}/`, { ...made.json<object>(), schema: null, example: null })
    expect((await call('GET', `${path}${type.name}/`)).json()).toEqual(changed.json())
    expect(changed.json()).toMatchObject({
      name: type.name,
      schema: null,
      example: null,
      description: type.description,
    })
    expect((await call('DELETE', `${path}${type.name}/`)).statusCode).toBe(204)
    for (const method of ['GET', 'PATCH', 'DELETE'] as const)
      expect((await call(method, `${path}${type.name}/`, method === 'PATCH' ? {} : undefined)).statusCode).toBe(404)
  })

  test('is for staff', async () => {
    const buyer = await people.authorization(await people.person())
    const staff = await people.authorization(await people.person({ is_staff: true }))
    expect((await call('POST', path, type, buyer)).statusCode).toBe(403)
    expect((await call('GET', path, undefined, buyer)).statusCode).toBe(403)
    expect((await call('POST', path, type, staff)).statusCode).toBe(201)
  })

  test.each([
    'crm',
    'crm.',
    '.crm',
    'Crm.customer',
    'crm..customer',
    'crm.*',
    'crm customer.x',
    '1crm.customer',
    'package.lost',
    'package-created',
    'webhook.mine',
    'deployment.mine',
    'quotation.mine',
    'stock_location.mine',
    `crm.${'x'.repeat(100)}`,
  ])('is not called %s', async (name) => {
    const answer = await make({ name })
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ['name']])
  })

  test('has a name of its own', async () => {
    await make()
    expect((await make({ name: 'crm-customer.updated' })).json()).toEqual({
      name: ['There is an event type of this name.'],
    })
  })

  test.each<[string, object, string]>([
    ['a word that is none', { properties: { a: { type: 'text' } } }, 'schema.properties.a.type'],
    ['another dialect', { $schema: 'http://json-schema.org/draft-07/schema#' }, 'schema'],
    ['a reference to another document', { $ref: 'https://example.com/schema' }, 'schema'],
    ['a reference to nothing', { $ref: '#/$defs/none' }, 'schema'],
    ['a pattern that is none', { properties: { a: { pattern: '(' } } }, 'schema'],
    ['more than 64 KiB', { description: 'x'.repeat(65_536) }, 'schema'],
    ['itself without an end', { $ref: '#' }, 'schema'],
    ['work without an end', exponential(40), 'schema'],
    ['promises', { $async: true, type: 'object' }, 'schema'],
    ['a reference to what every object has', { $ref: '#/constructor' }, 'schema'],
    ['a long pattern', { properties: { a: { pattern: 'a?'.repeat(25_000) } } }, 'schema'],
    [
      'a pattern with deep groups',
      { properties: { a: { pattern: '('.repeat(15_000) + ')'.repeat(15_000) } } },
      'schema',
    ],
    ['too many schemas', { anyOf: Array.from({ length: 1_200 }, () => ({})) }, 'schema'],
  ])('has no schema of %s', async (_, schema, field) => {
    const answer = await make({ schema })
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, [field]])
  })

  test('has no schema of a pattern that V8 never ends to read, and others are made while that is tried', async () => {
    const staff = await people.person({ is_staff: true })
    const authorization = await people.authorization(staff)
    const refused = make({ schema: { properties: { a: { pattern: `${'(?:|)'.repeat(60)}b` } } } })
    await new Promise((resolve) => setTimeout(resolve, 50))
    const other = make({ name: 'crm.other.updated', schema: null })
    expect((await Promise.race([refused, other])).statusCode).toBe(201)
    // Patterns are tried one after the other, whoever sent them.
    const ends: string[] = []
    void refused.then(() => ends.push('refused'))
    const late = ['(a)', '(b)'].map((pattern) =>
      call('POST', path, { ...type, name: 'crm.late.updated', schema: { pattern }, example: null }, authorization),
    )
    for (const one of late) void one.then(() => ends.push('late'))
    // Of one person, twenty schemas wait for it.
    const sent = Array.from({ length: 21 }, () => make({ schema: { type: 'text' } }))
    await Promise.race(sent)
    // Whoever loses their rights while a schema waits makes nothing.
    await call('PATCH', `/api/v1/users/${staff.id}/`, { is_active: false })
    expect((await Promise.all(late)).map(({ statusCode }) => statusCode)).toEqual([401, 401])
    expect(ends).toEqual(['refused', 'late', 'late'])
    const waiting = await Promise.all(sent)
    expect(waiting.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([...Array(20).fill(400), 429])
    expect(waiting.find(({ statusCode }) => statusCode === 429)?.headers).toMatchObject({ 'retry-after': '1' })
    expect((await refused).json()).toEqual({
      schema: ['A pattern of the schema cannot be used, or takes too long to prepare: use simpler ones.'],
    })
  })

  test.each<[string, object, object]>([
    ['itself', { properties: { children: { items: { $ref: '#' } } } }, { children: [{ children: [] }] }],
    [
      'itself by its $id',
      { $id: 'https://a.example/tree', properties: { next: { $ref: 'tree' } } },
      { next: { next: {} } },
    ],
  ])('refers to %s', async (_, schema, data) => {
    expect((await make({ schema, example: data })).statusCode).toBe(201)
    expect((await make({ schema, example: data, name: 'crm.other.updated' })).statusCode).toBe(201)
    expect((await raise([event({ data }), event({ data, type: 'crm.other.updated' })])).statusCode).toBe(202)
  })

  test('can have a thousand properties, which take nothing of the time of the first event', async () => {
    const properties = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`p${n}`, { type: 'string' }]))
    expect((await make({ schema: { properties } })).statusCode).toBe(201)
    const known = (await makeKnownTypes().read(db)).get(type.name)
    known?.prepare()
    const data = Object.fromEntries(Object.keys(properties).map((name) => [name, 'x']))
    expect(runBounded(5, () => ({ faults: known?.check?.(data) }))).toEqual({ faults: undefined })
    expect((await raise(event({ data: { p7: 7 } }))).json()).toEqual({ 'data.p7': ['Expected a string.'] })
  })

  test('has an example that fits its schema, also after a change of either', async () => {
    expect((await make({ example: { id: 'x', tags: ['A'] } })).json()).toEqual({
      'example.id': ['Expected an integer.'],
      'example.tags.0': ['Must match pattern "^[a-z]+$".'],
    })
    await make()
    const change = async (fields: object) => (await call('PATCH', `${path}${type.name}/`, fields)).json<object>()
    expect(Object.keys(await change({ example: {} }))).toEqual(['example.id'])
    expect(Object.keys(await change({ schema: { required: ['email'] } }))).toEqual(['example.email'])
    expect(await change({ schema: { required: ['email'] }, example: { email: 'a' } })).toMatchObject({
      name: type.name,
    })
  })
})

describe('an event of such a type', () => {
  beforeEach(async () => {
    await make()
  })

  test('is raised, with the name up to the last word as its kind of object', async () => {
    const named = event({ type: 'crm-customer-updated', object: { type: 'lead', id: 'L1' } })
    expect((await raise([event(), event(), named])).json()).toEqual({ accepted: 3, duplicates: 0 })
    const rows = await db.selectFrom('events').selectAll().orderBy('id').execute()
    expect(rows.map(({ type: name, objectType, objectId }) => [name, objectType, objectId])).toEqual([
      [type.name, 'crm.customer', '7'],
      [type.name, 'crm.customer', '7'],
      [type.name, 'lead', 'L1'],
    ])
    expect(rows.map(({ sequence }) => sequence)).toEqual([rows[0]?.sequence, (rows[0]?.sequence ?? 0) + 1, 1])
  })

  test('has to fit the schema', async () => {
    const wrong = event({ data: { id: 'x', tags: ['a', 'B'] } })
    expect((await raise(wrong)).json()).toEqual({
      'data.id': ['Expected an integer.'],
      'data.tags.1': ['Must match pattern "^[a-z]+$".'],
    })
    expect((await raise([event(), wrong])).json()).toHaveProperty(['1.data.id'])
    expect(await db.selectFrom('events').select('id').execute()).toEqual([])
  })

  test('has to fit a part of the schema about which the rules of bodies say nothing', async () => {
    await call('PATCH', `${path}${type.name}/`, { schema: { properties: { gone: { type: 'null' } } } })
    expect((await raise(event({ data: { gone: 1 } }))).json()).toEqual({ data: ['This is not as its schema says.'] })
    await call('PATCH', `${path}${type.name}/`, { schema: { minProperties: 1 }, example: { a: 1 } })
    expect(Object.keys((await raise(event({ data: {} }))).json())).toEqual(['data'])
  })

  test.each<[string, object]>([
    ['a pattern', { properties: { text: { pattern: '^(a+)+$' } } }],
    ['references', { ...exponential(40), $ref: undefined, dependentSchemas: { text: { $ref: '#/$defs/a0' } } }],
  ])('is refused in time where %s would take forever', async (_, schema) => {
    expect((await call('PATCH', `${path}${type.name}/`, { schema })).statusCode).toBe(200)
    await make({ name: 'crm.other.updated' })
    const other = event({ type: 'crm.other.updated' })
    const startedAt = performance.now()
    const answer = await raise([other, event({ data: { text: `${'a'.repeat(60)}!` } }), other])
    expect(answer.json()).toMatchObject({ code: 'check_too_long' })
    expect(performance.now() - startedAt).toBeLessThan(30_000)
    expect((await raise(event())).json()).toMatchObject({ code: 'check_too_long' })
    expect((await raise(other)).statusCode).toBe(202)
    await call('PATCH', `${path}${type.name}/`, { description: 'As it should be.' })
    expect((await raise(event())).statusCode).toBe(202)
  })

  test('is refused where the schema leads to itself without an end for such data alone', async () => {
    const endless = { dependentSchemas: { text: { $ref: '#' } } }
    expect((await call('PATCH', `${path}${type.name}/`, { schema: endless })).statusCode).toBe(200)
    expect((await raise(event({ data: { text: 'a' } }))).json()).toMatchObject({ code: 'schema_unusable' })
    expect((await raise(event())).statusCode).toBe(202)
  })

  test.each<[string, object]>([
    ['cannot be compiled', { properties: { text: { pattern: 'a?'.repeat(25_000) } } }],
    ['fails when it is used', { properties: { text: { pattern: '('.repeat(15_000) + ')'.repeat(15_000) } } }],
  ])('is refused where the schema %s', async (_, schema) => {
    await db
      .updateTable('eventTypes')
      .set({ schema: JSON.stringify(schema), version: 2_000_000 })
      .execute()
    await eventually(async () => {
      const answer = await raise(event({ data: { text: 'a' } }))
      expect([answer.statusCode, answer.json()]).toMatchObject([400, { code: 'schema_unusable' }])
      expect(answer.body.length).toBeLessThan(500)
    })
  })

  test('is refused while the type is switched off, and what was raised stays', async () => {
    await raise(event())
    await call('PATCH', `${path}${type.name}/`, { is_active: false })
    expect((await raise(event())).json()).toEqual({ type: ['This type of events is switched off.'] })
    await call('PATCH', `${path}${type.name}/`, { is_active: true })
    await raise(event())
    await call('DELETE', `${path}${type.name}/`)
    expect((await raise(event())).json()).toEqual({ type: [expect.stringContaining('no event of this name')] })
    expect(await db.selectFrom('events').select('id').execute()).toHaveLength(2)
  })

  test('may not be raised before the type is known, and its name is suggested then', async () => {
    const answer = await raise(event({ type: 'crm.customer.udpated' }))
    expect(answer.json().type[0]).toContain('Did you mean crm.customer.updated?')
  })

  test('soon follows a change that another process makes', async () => {
    await raise(event())
    await db.updateTable('eventTypes').set({ schema: null, version: 1_000_000 }).execute()
    await eventually(async () => expect((await raise(event({ data: {} }))).statusCode).toBe(202))
  })
})

describe('hooks', () => {
  beforeEach(async () => {
    await make()
  })

  test('subscribe to it by name or pattern, and hear it', async () => {
    const ids = [
      (await hook('crm-customer-updated')).json<{ id: number }>().id,
      (await hook('crm.*')).json<{ id: number }>().id,
      (await hook(['package.created', '*'])).json<{ id: number }>().id,
    ]
    await hook('crm.order.*')
    await raise(event())
    const log = (await call('GET', '/whisperer/hook_events/')).json<Record<string, unknown>[]>()
    expect(new Set(log.map(({ webhook }) => (webhook as { id: number }).id))).toEqual(new Set(ids))
    expect(log).toHaveLength(3)
    expect(log[0]).toMatchObject({
      event_type: type.name,
      object_type: 'crm.customer',
      object_id: '7',
      content_type: null,
    })
  })

  test('cannot name a type that there is not', async () => {
    expect((await hook('crm.customer.deleted')).statusCode).toBe(400)
    expect((await hook('erp.*')).statusCode).toBe(400)
  })

  test('that name it keep it from being deleted; patterns do not', async () => {
    const named = (await hook(['package.created', type.name])).json<{ id: number }>()
    await hook('crm.*')
    const refused = await call('DELETE', `${path}${type.name}/`)
    expect([refused.statusCode, refused.json()]).toMatchObject([409, { code: 'event_type_used' }])
    await call('DELETE', `/whisperer/hooks/${named.id}/`)
    expect((await call('DELETE', `${path}${type.name}/`)).statusCode).toBe(204)
  })

  test('keep a pattern when its last type is deleted: what was read can be sent back', async () => {
    await make({ name: 'solo.done' })
    const { id } = (await hook('solo.*')).json<{ id: number }>()
    await call('DELETE', `${path}solo.done/`)
    const url = `/whisperer/hooks/${id}/`
    const put = await call('PUT', url, (await call('GET', url)).json<object>())
    expect([put.statusCode, put.json()]).toMatchObject([200, { event_type: 'solo.*' }])
    expect((await call('PATCH', url, { event_type: ['package.created', 'solo-*'] })).statusCode).toBe(200)
    expect((await call('PATCH', url, { event_type: 'duo.*' })).statusCode).toBe(400)
  })

  test('are tried out with its example', async () => {
    const { id } = (await hook('crm.*')).json<{ id: number }>()
    const sent = await call('POST', `/whisperer/hooks/${id}/ping/`, { event_type: type.name })
    expect(sent.statusCode).toBe(202)
    const [pinged] = (await call('GET', `/whisperer/hook_events/?webhook=${id}`)).json<Record<string, unknown>[]>()
    expect(pinged).toMatchObject({ event_type: type.name, request_payload: { payload: type.example } })
  })

  test('find it in the registry', async () => {
    const names = (await call('GET', '/whisperer/hooks/registry/')).json<string[]>()
    expect(names).toContain(type.name)
    expect(names).toEqual(names.toSorted())
  })
})

describe('the API description', () => {
  test('has the type under webhooks, with schema and example, and nothing of it afterwards', async () => {
    const before = (await call('GET', '/openapi.json')).json<object>()
    await make()
    const { webhooks } = (await call('GET', '/openapi.json')).json<{ webhooks: Record<string, unknown> }>()
    expect(webhooks[type.name]).toMatchObject({ post: { summary: type.description } })
    expect(JSON.stringify(webhooks[type.name])).toContain('"$id":"urn:waybill:event-type:crm.customer.updated"')
    await call('DELETE', `${path}${type.name}/`)
    expect((await call('GET', '/openapi.json')).json()).toEqual(before)
  })

  test('leaves schemas and examples out beyond a million characters in all, and says so', async () => {
    const long = { description: 'x'.repeat(65_000) }
    const { version: _, ...row } = {
      ...type,
      isActive: true,
      createdAt: new Date(),
      modifiedAt: new Date(),
      version: 0,
    }
    await db
      .insertInto('eventTypes')
      .values(
        Array.from({ length: 30 }, (__, n) => {
          const name = `crm.t${n + 10}.x`
          return { ...row, name, schema: JSON.stringify(long), example: JSON.stringify(long) }
        }),
      )
      .execute()
    await make()
    const { body } = await call('GET', '/openapi.json')
    expect(body.length).toBeLessThan(5_000_000)
    const { webhooks } = JSON.parse(body) as { webhooks: Record<string, { post: { description: string } }> }
    expect(JSON.stringify(webhooks['crm.t10.x'])).toContain(long.description)
    expect(webhooks['crm.t39.x']?.post.description).toContain('left out')
    expect(JSON.stringify(webhooks['crm.t39.x'])).not.toContain(long.description)
  })
})
