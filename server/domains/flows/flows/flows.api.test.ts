import { describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const testApp = await makeTestApp({ environment: { PUBLIC_URL: 'https://waybill.test' } })
const { app, call, superuser, database } = testApp
const { person, authorization } = makePeople(testApp)
const url = '/api/nifi/flows'
const target = 'http://127.0.0.1:4109/data'

const make = async (fields: object = {}): Promise<number> => {
  const answer = await call('POST', url, { direction: 'outbound', target, ...fields })
  expect(answer.statusCode).toBe(201)
  return answer.json<{ id: number }>().id
}
const show = async (id: number) => (await call('GET', `${url}/${id}`)).json()

describe('an outbound flow', () => {
  test('has defaults for what is not named, and is found where Location says', async () => {
    const answer = await call('POST', url, { direction: 'outbound', target })
    expect(answer.statusCode).toBe(201)
    const { id } = answer.json<{ id: number }>()
    expect(answer.json()).toEqual({
      id,
      name: '',
      direction: 'outbound',
      target,
      headers: {},
      secret: null,
      is_active: true,
      disabled_reason: null,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      modified_at: answer.json().created_at,
    })
    expect(answer.headers.location).toBe(`https://waybill.test${url}/${id}`)
    expect(await show(id)).toEqual(answer.json())
  })

  test('changes in what is named alone', async () => {
    const id = await make({ name: 'ERP', secret: 'opensesame', headers: { 'X-Shop': 'n' } })
    const answer = await call('PATCH', `${url}/${id}`, { name: 'CRM', is_active: false })
    expect(answer.json()).toMatchObject({
      name: 'CRM',
      is_active: false,
      target,
      secret: '********',
      headers: { 'X-Shop': 'n' },
    })
    await call('PATCH', `${url}/${id}`, { secret: null, headers: null, target: `${target}?b` })
    expect(await show(id)).toMatchObject({ name: 'CRM', secret: null, headers: {}, target: `${target}?b` })
  })

  test('switched off by the engine says so, takes it back when switched on, and is off for good when a person says so', async () => {
    const id = await make()
    const disable = () =>
      sql`update subscriptions set is_active = false, disabled_reason = 'failing', disabled_at = now(), probe_at = now(), health = 'disabled'
          where scope = ${`flow:${id}`}`.execute(database.db)
    const reason = async () => {
      const { rows } = await sql<{ reason: string | null }>`
        select disabled_reason as reason from subscriptions where scope = ${`flow:${id}`}`.execute(database.db)
      return rows[0]?.reason
    }
    await disable()
    expect(await show(id)).toMatchObject({ is_active: false, disabled_reason: 'failing' })
    await call('PATCH', `${url}/${id}`, { name: 'Other' })
    expect(await show(id)).toMatchObject({ is_active: false, disabled_reason: 'failing' })
    await call('PATCH', `${url}/${id}`, { is_active: true })
    expect(await show(id)).toMatchObject({ is_active: true, disabled_reason: null })
    await disable()
    await call('PATCH', `${url}/${id}`, { is_active: false })
    expect(await show(id)).toMatchObject({ is_active: false, disabled_reason: null })
    expect(['failing', 'gone']).not.toContain(await reason())
  })
})

describe('an inbound flow', () => {
  test('has a name and a switch', async () => {
    const answer = await call('POST', url, { direction: 'inbound', name: 'Prices' })
    expect(answer.statusCode).toBe(201)
    const flow = answer.json()
    expect(flow).toMatchObject({ direction: 'inbound', target: null, headers: {}, secret: null, is_active: true })
    const changed = await call('PATCH', `${url}/${flow.id}`, { ...flow, name: 'Stock', is_active: false })
    expect(changed.json()).toMatchObject({ name: 'Stock', is_active: false, direction: 'inbound' })
  })

  test.each([
    ['target', { target }],
    ['headers', { headers: { 'X-Shop': 'n' } }],
    ['secret', { secret: 'opensesame' }],
  ])('has no %s', async (field, fields) => {
    const refused = await call('POST', url, { direction: 'inbound', ...fields })
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([400, [field]])
    const { id } = (await call('POST', url, { direction: 'inbound' })).json()
    const change = await call('PATCH', `${url}/${id}`, fields)
    expect([change.statusCode, Object.keys(change.json().errors)]).toEqual([400, [field]])
  })
})

test.each(['GET health', 'GET secret', 'POST secret', 'DELETE secret/previous'])(
  'an inbound flow has no secret and no health: %s',
  async (operation) => {
    const [method, path] = operation.split(' ') as ['GET' | 'POST' | 'DELETE', string]
    const { id } = (await call('POST', url, { direction: 'inbound' })).json<{ id: number }>()
    const answer = await call(method, `${url}/${id}/${path}`)
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'flow_inbound'])
  },
)

const wrong: [string, object, string][] = [
  ['a direction of its own', { direction: 'both' }, 'direction'],
  ['no direction', { direction: undefined }, 'direction'],
  ['a direction of null', { direction: null }, 'direction'],
  ['a name of 101 characters', { name: 'n'.repeat(101) }, 'name'],
  ['a name of null', { name: null }, 'name'],
  ['a name with a NUL', { name: 'a\0' }, 'name'],
  ['no target', { target: undefined }, 'target'],
  ['a target of null', { target: null }, 'target'],
  ['a target that is a number', { target: 1 }, 'target'],
  ['an empty target', { target: '' }, 'target'],
  ['a target of another scheme', { target: 'ftp://example.com/' }, 'target'],
  ['a target that may not be reached', { target: 'http://169.254.169.254/' }, 'target'],
  ['a target with a password', { target: 'https://a:b@example.com/' }, 'target'],
  ['a target that is too long', { target: `https://example.com/${'a'.repeat(2048)}` }, 'target'],
  ['headers that are a list', { headers: [] }, 'headers'],
  ['a header that is a number', { headers: { 'X-A': 1 } }, 'headers.X-A'],
  ['a header that is no name', { headers: { 'X A': 'a' } }, 'headers.X A'],
  ['a header with a line break', { headers: { 'X-A': 'a\r\nb: c' } }, 'headers.X-A'],
  ['the content type as a header', { headers: { 'Content-Type': 'text/csv' } }, 'headers.Content-Type'],
  ['a signature as a header', { headers: { 'Webhook-Signature': 'v1,a' } }, 'headers.Webhook-Signature'],
  ['a masked header', { headers: { Authorization: '********' } }, 'headers.Authorization'],
  ['an empty secret', { secret: '' }, 'secret'],
  ['a secret that is too long', { secret: 's'.repeat(257) }, 'secret'],
  ['a secret that only looks like one', { secret: 'whsec_abc' }, 'secret'],
  ['a masked secret', { secret: '********' }, 'secret'],
  ['a secret that is a number', { secret: 1 }, 'secret'],
  ['is_active as text', { is_active: 'true' }, 'is_active'],
  ['is_active of null', { is_active: null }, 'is_active'],
  ['a field that nobody knows', { colour: 'red' }, 'colour'],
]

describe('what a flow cannot be made with', () => {
  test.each(wrong)('%s', async (_, fields, field) => {
    const answer = await call('POST', url, { direction: 'outbound', target, ...fields })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([400, 'application/problem+json'])
    expect(Object.keys(answer.json().errors)).toEqual([field])
    expect(answer.json()).toMatchObject({ type: 'about:blank', title: 'Bad Request', status: 400 })
  })

  test.each(wrong.filter(([name]) => !name.startsWith('no ')))('or changed to: %s', async (_, fields, field) => {
    const id = await make()
    const before = await show(id)
    const answer = await call('PATCH', `${url}/${id}`, fields)
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([400, [field]])
    expect(await show(id)).toEqual(before)
  })

  test('is said of all fields at once', async () => {
    const answer = await call('POST', url, { direction: 'outbound', target: 'x', secret: '', headers: { 'X A': '' } })
    expect(Object.keys(answer.json().errors).toSorted()).toEqual(['headers.X A', 'secret', 'target'])
  })

  test('another direction', async () => {
    const id = await make()
    const answer = await call('PATCH', `${url}/${id}`, { direction: 'inbound' })
    expect([answer.statusCode, answer.json().errors]).toEqual([400, { direction: [expect.any(String)] }])
  })

  test('a body that is not JSON, and none that is an object', async () => {
    const text = await app.inject({
      method: 'POST',
      url,
      payload: 'a=b',
      headers: { authorization: superuser.authorization, 'content-type': 'text/plain' },
    })
    expect([text.statusCode, text.json().status]).toEqual([415, 415])
    for (const body of [[], '"x"', 'null', '{']) {
      const answer = await app.inject({
        method: 'POST',
        url,
        payload: body,
        headers: { authorization: superuser.authorization, 'content-type': 'application/json' },
      })
      expect(answer.statusCode).toBe(400)
    }
  })
})

describe('flows', () => {
  test('are listed by page, the oldest first, without those that were removed', async () => {
    const ids = [await make(), await make(), await make()]
    const gone = await make()
    expect((await call('DELETE', `${url}/${gone}`)).statusCode).toBe(204)
    const all = await call('GET', `${url}?limit=1000`)
    const listed = all.json<{ id: number }[]>().map(({ id }) => id)
    expect(listed.filter((id) => id >= (ids[0] ?? 0))).toEqual(ids)
    expect(listed).toEqual(listed.toSorted((one, other) => one - other))
    expect(all.headers['x-total-count']).toBe(String(listed.length))
    const page = await call('GET', `${url}?limit=2&page=2`)
    expect(page.json<{ id: number }[]>().map(({ id }) => id)).toEqual(listed.slice(2, 4))
    expect(page.headers.link).toContain('rel="prev"')
    expect((await call('GET', `${url}?limit=1001`)).statusCode).toBe(400)
  })

  test('that were removed are gone', async () => {
    const id = await make()
    await call('DELETE', `${url}/${id}`)
    for (const method of ['GET', 'PATCH', 'DELETE'] as const)
      expect((await call(method, `${url}/${id}`, method === 'PATCH' ? {} : undefined)).statusCode).toBe(404)
  })

  test.each(['0', '-1', 'abc', '1e1', '9007199254740992', '4711'])('with the id %s do not exist', async (id) => {
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const answer = await call(method, `${url}/${id}`, method === 'PATCH' ? {} : undefined)
      expect([answer.statusCode, answer.json()]).toEqual([
        404,
        { type: 'about:blank', title: 'Not Found', status: 404, detail: 'Not found.' },
      ])
    }
  })

  test('are made once when the request is repeated with its key', async () => {
    const key = { 'idempotency-key': 'flow-1' }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call('POST', url, { direction: 'inbound', name: 'Once' }, key)),
    )
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect((await call('POST', url, { direction: 'inbound' }, key)).statusCode).toBe(409)
  })
})

test('staff and superusers may do everything with flows, with any credential; limited keys and others nothing', async () => {
  const staff = await person({ is_staff: true })
  const plain = await person()
  const token = async ({ email, password }: { email: string; password: string }) => {
    const payload = new URLSearchParams({ username: email, password }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return (await app.inject({ method: 'POST', url: '/api/nifi/login', payload, headers })).body
  }
  const key = async (limits: object) =>
    `Api-Key ${(await call('POST', '/api/v1/auth/api-keys/', { name: 'k', ...limits })).json<{ key: string }>().key}`
  const id = await make()
  const inbound = (await call('POST', url, { direction: 'inbound' })).json<{ id: number }>().id
  const bytes = { payload: 'a', headers: { 'content-type': 'text/plain' } }
  /** What each operation answers to those who may: 409 and 404 come after the access. */
  const operations = [
    ['POST', url, { payload: { direction: 'inbound' } }, 201],
    ['GET', url, {}, 200],
    ['GET', `${url}/${id}`, {}, 200],
    ['PATCH', `${url}/${id}`, { payload: { name: 'n' } }, 200],
    ['DELETE', `${url}/4711`, {}, 404],
    ['POST', `${url}/${inbound}/data`, bytes, 409],
    ['GET', `${url}/${id}/health`, {}, 200],
    ['GET', `${url}/${id}/secret`, {}, 200],
    ['POST', `${url}/${id}/secret`, {}, 200],
    ['DELETE', `${url}/${id}/secret/previous`, {}, 204],
    ['GET', `${url}/${id}/runs`, {}, 200],
    ['GET', `${url}/${id}/runs/1`, {}, 404],
    ['POST', `${url}/${id}/runs/1/retry`, {}, 404],
  ] as const
  const answersTo = async (authorization_: string | undefined) => {
    const statuses = []
    for (const [method, path, request] of operations) {
      const own = 'headers' in request ? request.headers : {}
      const headers = { ...own, ...(authorization_ === undefined ? {} : { authorization: authorization_ }) }
      statuses.push((await app.inject({ method, url: path, ...request, headers })).statusCode)
    }
    return statuses
  }
  const allowed = operations.map(([, , , status]) => status)
  const all = (status: number) => operations.map(() => status)
  expect(await answersTo(superuser.authorization)).toEqual(allowed)
  expect(await answersTo((await authorization(staff)).authorization)).toEqual(allowed)
  expect(await answersTo(await key({}))).toEqual(allowed)
  expect(await answersTo(`Bearer ${await token(superuser)}`)).toEqual(allowed)
  expect(await answersTo(await token(staff))).toEqual(allowed)
  expect(await answersTo(await key({ scopes: ['hooks:write', 'projects:write'] }))).toEqual(all(403))
  expect(await answersTo((await authorization(plain)).authorization)).toEqual(all(403))
  expect(await answersTo(`Bearer ${await token(plain)}`)).toEqual(all(403))
  expect(await answersTo(undefined)).toEqual(all(401))
  expect(await answersTo('Bearer nonsense')).toEqual(all(401))
})

test('flows go on when who made them is no longer staff', async () => {
  const staff = await person({ is_staff: true })
  const { id } = (await call('POST', url, { direction: 'outbound', target }, await authorization(staff))).json()
  expect((await call('PATCH', `/api/v1/users/${staff.id}/`, { is_staff: false })).statusCode).toBe(200)
  expect(await show(id)).toMatchObject({ is_active: true })
})
