import { createHmac, timingSafeEqual } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { backOfficeEventTypes } from '#events/catalogue.ts'
import { serverEnvironment } from '#testing/chaos/prepare-server.ts'
import { makeReceiver, type Received } from '#testing/receiver.ts'
import { installDatabase } from '#testing/processes/install-database.ts'
import { startServer } from '#testing/processes/server-process.ts'

// A client of the original hook service against a server of its own: what it sends, byte for byte in its
// ways (trailing slashes, `Token` logins, numbers and Python truth values as text in queries), and what it reads.

const directory = mkdtempSync(join(tmpdir(), 'waybill-original-client-'))
installDatabase(join(directory, 'data'))
const server = await startServer({ ...serverEnvironment, DATA_DIR: join(directory, 'data') }, directory)
afterAll(async () => {
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
})
const receiver = await makeReceiver()
const timeout = 30_000

interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** As the client of a dynamic language sees it. */
  readonly json: ReturnType<typeof JSON.parse>
}
type Query = Readonly<Record<string, string>>

/** One user of the original's client, with the token of a login. */
const makeClient = (token: string) => {
  const send = async (method: string, path: string, body?: object, query: Query = {}): Promise<Answered> => {
    const search = new URLSearchParams(query).toString()
    const answer = await fetch(`${server.origin}${path}${search === '' ? '' : `?${search}`}`, {
      method,
      redirect: 'error',
      headers: {
        authorization: `Token ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, json: text === '' ? undefined : JSON.parse(text) }
  }
  return {
    send,
    subscribe: async (fields: object): Promise<number> => {
      const answer = await send('POST', '/whisperer/hooks/', fields)
      if (answer.status !== 201) throw new Error(`${answer.status}: ${answer.text}`)
      return answer.json.id
    },
    events: (query: Query = {}) => send('GET', '/whisperer/hook_events/', undefined, query),
    retry: (id: number, body?: object) => send('POST', `/whisperer/hook_events/${id}/retry/`, body),
  }
}
type Client = ReturnType<typeof makeClient>

const login = async (username: string, password: string): Promise<Client> => {
  const answer = await makeClient('').send('POST', '/api/v1/auth/login/', { username, password })
  return makeClient(answer.json.key)
}

const root = await login(serverEnvironment.ADMIN_EMAIL, serverEnvironment.ADMIN_PASSWORD)
const staff = async (name: string): Promise<Client> => {
  const [email, password] = [`${name}@waybill.test`, 'another good password']
  await root.send('POST', '/api/v1/users/', { email, password, is_staff: true })
  return login(email, password)
}

let codes = 0
/** Something happens: a stock location is created. */
const makeLocation = async (): Promise<number> => {
  codes += 1
  return (await root.send('POST', '/api/v1/stock_locations/', { code: `L-${codes}`, name: 'x' })).json.id
}
const created = 'stock_location-created'

/** The requests that came for a path of the receiver, once there are so many. */
const arrived = async (path: string, count = 1): Promise<Received[]> => {
  for (let tries = 0; tries < 200; tries++) {
    const requests = receiver.received.filter((one) => one.path === path)
    if (requests.length >= count) return requests
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`Of ${count} requests for ${path} not all came.`)
}
/** The log is written after the answer came. */
const settled = async (client: Client, query: Query): Promise<Answered> => {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await client.events(query)
    if (answer.json[0]?.response_http_status !== null && answer.json.length > 0) return answer
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('Nothing was delivered.')
}

/** As receivers of the original judge a delivery. */
const isGenuine = ({ headers, body }: Received, secret: string): boolean => {
  const expected = `sha256=${createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('hex')}`
  const sent = Buffer.from(String(headers['x-whisperer-signature']))
  return sent.length === expected.length && timingSafeEqual(sent, Buffer.from(expected))
}

describe('a subscription', { timeout }, () => {
  test('with the fewest fields that the original takes is answered with the stored record', async () => {
    const client = await staff('few')
    const target = `${receiver.url}/few`
    const body = { event_type: 'package-created', secret_key: 'secret', target_url: target }
    const answer = await client.send('POST', '/whisperer/hooks/', body)
    expect(answer.status).toBe(201)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.json).toEqual({
      id: expect.any(Number),
      event_type: 'package.created',
      target_url: target,
      is_active: true,
      retry_countdown_config: { choice: 'exponential', kwargs: { base: 2, factor: 15, limit: 21_600 } },
      additional_headers: {},
      callback: null,
      config: {},
      secret_key: '********',
      created_date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      modified_date: expect.any(String),
    })
  })

  test.each([
    ['fixed', { seconds: 60 }, { seconds: 60 }],
    ['linear', { base: 60, limit: 600 }, { base: 60, limit: 600 }],
    ['linear', { base: 60, limit: null }, { base: 60 }],
    ['exponential', { base: 2 }, { base: 2, factor: 1 }],
    ['exponential', { base: 2, factor: 3, limit: 600 }, { base: 2, factor: 3, limit: 600 }],
    ['random', { min_value: 1, max_value: 9 }, { min_value: 1, max_value: 9 }],
  ])('retries in the way %s with %j', async (choice, kwargs, stored) => {
    const target = `${receiver.url}/${choice}-${Object.values(kwargs).join('-')}`
    const body = { event_type: created, target_url: target, is_active: false }
    const retry = { retry_countdown_config: { choice, kwargs } }
    const { status, json } = await root.send('POST', '/whisperer/hooks/', { ...body, ...retry })
    expect([status, json.retry_countdown_config]).toEqual([201, { choice, kwargs: stored }])
  })

  test.each([
    [{ event_type: 'invalid.event' }, 'event_type'],
    [{ event_type: undefined }, 'event_type'],
    [{ target_url: undefined }, 'target_url'],
    [{ retry_countdown_config: { choice: 'weekly', kwargs: {} } }, 'retry_countdown_config.choice'],
    [{ retry_countdown_config: { choice: 'linear', kwargs: {} } }, 'retry_countdown_config.kwargs.base'],
    [{ callback: 'os.system' }, 'callback'],
  ])('%j is refused by name', async (fields, field) => {
    const body = { event_type: created, target_url: `${receiver.url}/bad`, ...fields }
    const { status, json } = await root.send('POST', '/whisperer/hooks/', body)
    expect(status).toBe(400)
    expect(json).toEqual({ [field]: [expect.any(String)] })
  })

  test('for the same event and URL twice is refused, in either form of the name, to the same user alone', async () => {
    const [one, other] = [await staff('twice'), await staff('once')]
    const body = { target_url: `${receiver.url}/twice`, secret_key: 'secret' }
    await one.subscribe({ ...body, event_type: 'package-created' })
    const again = await one.send('POST', '/whisperer/hooks/', { ...body, event_type: 'package.created' })
    expect(again.status).toBe(406)
    expect(again.json).toEqual({ code: 'webhook_100_2', en: expect.any(String) })
    await other.subscribe({ ...body, event_type: 'package-created' })
  })

  test('is listed as an array and found by each filter', async () => {
    const client = await staff('lists')
    const target = `${receiver.url}/Lists`
    const first = await client.subscribe({ event_type: created, target_url: target })
    const second = await client.subscribe({ event_type: 'package-created', target_url: target, is_active: false })
    const ids = async (query: Query) => {
      const { json } = await client.send('GET', '/whisperer/hooks/', undefined, query)
      return json.map(({ id }: { id: number }) => id)
    }
    expect(await ids({})).toEqual([first, second])
    expect(await ids({ event_type: 'PACKAGE-CREATED' })).toEqual([second])
    expect(await ids({ is_active: 'False' })).toEqual([second])
    expect(await ids({ is_active: 'True' })).toEqual([first])
    expect(await ids({ target_url: target.toUpperCase().replace('HTTP', 'http') })).toEqual([first, second])
    expect(await ids({ target_url: `${target}/` })).toEqual([])
    expect(await ids({ ordering: '-id', limit: '1', page: '2' })).toEqual([first])
  })

  test('is changed by PUT and PATCH with what was read, and ended by DELETE', async () => {
    const client = await staff('changes')
    const id = await client.subscribe({
      event_type: created,
      target_url: `${receiver.url}/changes`,
      secret_key: 'secret',
    })
    const path = `/whisperer/hooks/${id}/`
    const read = (await client.send('GET', path)).json
    expect((await client.send('PUT', path, { ...read, callback: null })).json).toMatchObject({ secret_key: '********' })
    expect((await client.send('PATCH', path, { is_active: false })).json).toMatchObject({ id, is_active: false })
    const gone = await client.send('DELETE', path)
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect((await client.send('GET', path)).status).toBe(404)
  })

  test('needs a login, and belongs to its user; superusers see all', async () => {
    const [owner, other] = [await staff('owner'), await staff('other')]
    const id = await owner.subscribe({ event_type: created, target_url: `${receiver.url}/owner` })
    for (const method of ['GET', 'DELETE']) {
      expect((await other.send(method, `/whisperer/hooks/${id}/`)).status).toBe(404)
    }
    expect((await other.send('GET', '/whisperer/hooks/')).json).toEqual([])
    expect((await root.send('GET', `/whisperer/hooks/${id}/`)).json).toMatchObject({ id })
    const stranger = await makeClient('nobody').send('GET', '/whisperer/hooks/')
    expect([stranger.status, Object.keys(stranger.json)]).toEqual([401, ['detail']])
  })

  test('can be for every event of the registry', async () => {
    const { status, json } = await root.send('GET', '/whisperer/hooks/registry/')
    expect([status, json]).toEqual([200, [...backOfficeEventTypes]])
    expect(json).toEqual(expect.arrayContaining(['package.created', 'stock_location.updated', 'shipment.cancelled']))
  })
})

describe('a delivery', { timeout }, () => {
  test('is signed as receivers of the original check it, and carries the headers of the hook', async () => {
    const client = await staff('signed')
    const secret = 'gizli anahtar, şifre'
    const headers = { 'X-Shop': 'north' }
    await client.subscribe({
      event_type: created,
      target_url: `${receiver.url}/signed`,
      secret_key: secret,
      additional_headers: headers,
    })
    const id = await makeLocation()
    const [delivery] = await arrived('/signed')
    if (delivery === undefined) throw new Error('Nothing came.')
    expect(delivery.method).toBe('POST')
    // By the names, and in the form, in which the original sends them.
    expect(delivery.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(delivery.body.length),
      'x-whisperer-event': 'stock_location.created',
      'x-whisperer-signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
      'x-shop': 'north',
    })
    expect(isGenuine(delivery, secret)).toBe(true)
    expect(isGenuine(delivery, 'another')).toBe(false)
    const body = JSON.parse(delivery.body.toString())
    expect(Object.keys(body)).toEqual(['event', 'payload'])
    expect(body).toMatchObject({
      event: { type: 'stock_location.created', uuid: expect.stringMatching(/^[0-9a-f]{32}$/) },
      payload: { id },
    })
    expect(body.event.uuid).toBe(String(delivery.headers['webhook-id']).replaceAll('-', ''))
    expect((await settled(client, { uuid: body.event.uuid })).json[0].request_payload).toEqual(body)
  })

  test('without a secret has no signature', async () => {
    await (await staff('unsigned')).subscribe({ event_type: created, target_url: `${receiver.url}/unsigned` })
    await makeLocation()
    const [delivery] = await arrived('/unsigned')
    expect(delivery?.headers).toMatchObject({ 'x-whisperer-event': 'stock_location.created' })
    expect(delivery?.headers).not.toHaveProperty('x-whisperer-signature')
  })

  test('signs in with basic, or with a token that a form POST fetches', async () => {
    const client = await staff('auth')
    const basic = { auth_type: 'basic', username: 'username', password: 'password' }
    await client.subscribe({ event_type: created, target_url: `${receiver.url}/basic`, config: { auth: basic } })
    const token = {
      auth_type: 'token',
      url: `${receiver.url}/login/`,
      username: 'shop',
      password: 'p&ss wörd',
      username_field: 'email',
    }
    await client.subscribe({ event_type: created, target_url: `${receiver.url}/token`, config: { auth: token } })
    const jwt = { ...token, url: `${receiver.url}/jwt/`, token_key: 'access', header_format: 'Bearer {}' }
    await client.subscribe({ event_type: created, target_url: `${receiver.url}/bearer`, config: { auth: jwt } })
    receiver.answer(({ path }) => ({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(path === '/jwt/' ? { access: 'abc.def' } : { key: 'f00' }),
    }))
    await makeLocation()
    const authorizationOf = async (path: string) => (await arrived(path))[0]?.headers.authorization
    expect(await authorizationOf('/basic')).toBe(`Basic ${Buffer.from('username:password').toString('base64')}`)
    expect(await authorizationOf('/token')).toBe('Token f00')
    expect(await authorizationOf('/bearer')).toBe('Bearer abc.def')
    const [form] = await arrived('/login/')
    expect(form?.method).toBe('POST')
    expect(form?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/)
    expect([...new URLSearchParams(form?.body.toString())]).toEqual([
      ['email', 'shop'],
      ['password', 'p&ss wörd'],
    ])
    receiver.answer({})
  })
})

describe('the events of a hook', { timeout }, () => {
  const now = new Date()
  /** As the original's clients write a moment. */
  const written = (offsetMs: number): string =>
    new Date(now.getTime() + offsetMs).toISOString().slice(0, 19).replace('T', ' ')
  const [hour, day] = [3_600_000, 86_400_000]
  const dayOf = (offsetMs: number): string => written(offsetMs).slice(0, 10)

  let client: Client
  let hook = 0
  let location = 0
  let event: Answered['json']
  beforeAll(async () => {
    client = await staff('events')
    hook = await client.subscribe({ event_type: created, target_url: `${receiver.url}/events`, secret_key: 'secret' })
    receiver.answer({ status: 201, body: 'Foo' })
    location = await makeLocation()
    await arrived('/events')
    event = (await settled(client, {})).json[0]
    receiver.answer({})
  })

  test('are shown in full, with their hook', async () => {
    const answer = await client.events()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-total-count')).toBe('1')
    const [delivery] = await arrived('/events')
    expect(answer.json).toEqual([event])
    expect(event).toMatchObject({
      webhook: { id: hook, event_type: 'stock_location.created', target_url: `${receiver.url}/events`, config: {} },
      request_payload: JSON.parse(delivery?.body.toString() ?? ''),
      request_datetimes: [expect.any(String)],
      response_http_status: 201,
      response_content: 'Foo',
      response_time: expect.stringMatching(/^00:00:\d{2}\.\d{6}$/),
      delivered: true,
      retry_count: 1,
      content_type: 4,
    })
    expect(event.webhook).toMatchObject({ secret_key: '********' })
    expect((await client.send('GET', `/whisperer/hook_events/${event.id}/`)).json).toMatchObject(event)
    expect((await root.send('GET', `/whisperer/hook_events/${event.id}/`)).status).toBe(200)
    expect((await (await staff('curious')).send('GET', `/whisperer/hook_events/${event.id}/`)).status).toBe(404)
  })

  const filters: [string, () => string, () => string][] = [
    ['event_type', () => created.toUpperCase(), () => 'package-created'],
    ['delivered', () => 'True', () => 'False'],
    ['uuid', () => event.uuid, () => event.uuid.replace(/^./, 'f')],
    ['uuid', () => event.uuid.replaceAll('-', ''), () => '0'.repeat(32)],
    ['response_http_status', () => '201', () => '500'],
    ['webhook', () => String(hook), () => String(hook + 1_000)],
    ['content_type', () => '4', () => '1'],
    ['object_id', () => String(location), () => String(location + 1)],
    ['created_date', () => dayOf(0), () => dayOf(-2 * day)],
    ['created_date__gt', () => written(-hour), () => written(hour)],
    ['created_date__gte', () => written(-hour), () => written(hour)],
    ['created_date__lt', () => written(hour), () => written(-hour)],
    ['created_date__lte', () => written(hour), () => written(-hour)],
    ['created_date__gte', () => dayOf(0), () => dayOf(2 * day)],
    ['created_date__lt', () => dayOf(2 * day), () => dayOf(0)],
  ]
  test.each(filters)('are found by %s', async (name, matching, other) => {
    const found = await client.events({ [name]: matching() })
    expect([found.status, found.json.map(({ id }: { id: number }) => id)]).toEqual([200, [event.id]])
    const none = await client.events({ [name]: other() })
    expect([none.status, none.json]).toEqual([200, []])
  })

  test('of a removed hook are still there', async () => {
    const leaving = await staff('leaving')
    const id = await leaving.subscribe({ event_type: created, target_url: `${receiver.url}/leaving` })
    await makeLocation()
    await arrived('/leaving')
    await leaving.send('DELETE', `/whisperer/hooks/${id}/`)
    const { json } = await leaving.events()
    expect(json).toEqual([expect.objectContaining({ webhook: expect.objectContaining({ id, is_active: false }) })])
  })
})

describe('a retry by hand', { timeout }, () => {
  test('is refused while the server still tries, forced through, and refused once delivered', async () => {
    const client = await staff('retries')
    receiver.answer(({ path }) => (path === '/retries' ? { status: 400, body: 'Foo' } : {}))
    const fixed = { retry_countdown_config: { choice: 'fixed', kwargs: { seconds: 3_600 } } }
    await client.subscribe({ event_type: created, target_url: `${receiver.url}/retries`, ...fixed })
    await makeLocation()
    await arrived('/retries')
    const [event] = (await settled(client, {})).json
    expect(event).toMatchObject({ delivered: false, response_http_status: 400, retry_count: 1 })

    const early = await client.retry(event.id)
    expect(early.status).toBe(406)
    expect(early.json).toMatchObject({ code: 'event_100_6', en: 'Event is still in retry process', delivered: false })

    const failed = await client.retry(event.id, { force: true })
    expect(failed.status).toBe(406)
    expect(failed.json).toEqual({
      detail: expect.stringMatching(/^Webhook event delivery failed/),
      response_status: 400,
      response_content: 'Foo',
      response_time: expect.stringMatching(/^\d+(\.\d+)?$/),
      delivered: false,
    })

    receiver.answer({ body: 'Foo' })
    const done = await client.retry(event.id, { force: true })
    expect(done.status).toBe(200)
    expect(done.json).toMatchObject({ detail: 'Webhook event delivered successfully', response_status: 200 })
    expect((await client.events({ delivered: 'True' })).json[0]).toMatchObject({ id: event.id, retry_count: 3 })
    const requests = await arrived('/retries', 3)
    expect(new Set(requests.map(({ body }) => body.toString())).size).toBe(1)

    const late = await client.retry(event.id, { force: false })
    expect(late.status).toBe(406)
    expect(late.json).toMatchObject({ code: 'event_100_3', en: 'Event already delivered', delivered: true })
    expect((await (await staff('stranger')).retry(event.id, { force: true })).status).toBe(404)
  })
})
