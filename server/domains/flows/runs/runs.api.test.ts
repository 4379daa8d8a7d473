import { describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { makeTestApp } from '#testing/make-test-app.ts'

// Nothing is delivered here: the engine does not run.
const { app, call, superuser, database } = await makeTestApp({ environment: { PUBLIC_URL: 'https://waybill.test' } })
const url = '/api/nifi/flows'

const makeFlow = async (fields: object = {}): Promise<number> => {
  const answer = await call('POST', url, { direction: 'outbound', target: 'http://127.0.0.1:4109/', ...fields })
  return answer.json<{ id: number }>().id
}
/** A string would be sent with a content type by itself. */
const send = (flow: number | string, data: string | Buffer | undefined, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: `${url}/${flow}/data`,
    ...(data === undefined ? {} : { payload: Buffer.from(data) }),
    headers: { authorization: superuser.authorization, ...headers },
  })
const start = async (flow: number, data: string | Buffer = 'data'): Promise<number> => {
  const answer = await send(flow, data)
  expect(answer.statusCode).toBe(202)
  return answer.json<{ run_id: number }>().run_id
}
const show = async (flow: number, run: number) => (await call('GET', `${url}/${flow}/runs/${run}`)).json()
const list = async (flow: number, query = '') => (await call('GET', `${url}/${flow}/runs?limit=100&${query}`)).json()
const retry = (flow: number | string, run: number | string, body?: unknown) =>
  call('POST', `${url}/${flow}/runs/${run}/retry`, body)
const set = (run: number, values: string) =>
  sql.raw(`update deliveries set ${values} where id = ${run}`).execute(database.db)
const disable = (flow: number, reason: string | null) =>
  sql`update subscriptions set is_active = false, disabled_reason = ${reason}, disabled_at = now()
      where scope = ${`flow:${flow}`}`.execute(database.db)

describe('data that is sent', () => {
  test('is a run, found where Location says', async () => {
    const flow = await makeFlow()
    const answer = await send(flow, 'a;b\r\n', { 'content-type': 'text/csv; charset=utf-8' })
    expect(answer.statusCode).toBe(202)
    const { run_id: run } = answer.json<{ run_id: number }>()
    expect(answer.json()).toEqual({ run_id: run, state: 'queued' })
    expect(answer.headers.location).toBe(`https://waybill.test${url}/${flow}/runs/${run}`)
    const shown = {
      run_id: run,
      uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      flow,
      state: 'queued',
      attempts: 0,
      next_attempt_at: expect.any(String),
      last_status: null,
      last_reason: null,
      content_type: 'text/csv; charset=utf-8',
      size: 5,
      payload: 'a;b\r\n',
      payload_encoding: 'utf-8',
      created_at: expect.any(String),
      finished_at: null,
    }
    expect(await show(flow, run)).toEqual({ ...shown, attempt_log: [] })
    expect(await list(flow)).toEqual([shown])
  })

  test.each([
    ['nothing at all', undefined, {}],
    ['nothing with a content type', undefined, { 'content-type': 'text/csv' }],
    ['an empty body', Buffer.alloc(0), { 'content-type': 'application/json' }],
  ])('cannot be %s', async (_, data, headers) => {
    const answer = await send(await makeFlow(), data, headers)
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'empty_body'])
  })

  test('has at most 1 MiB', async () => {
    const flow = await makeFlow()
    const run = await start(flow, Buffer.alloc(1_048_576, 255))
    expect(await show(flow, run)).toMatchObject({
      size: 1_048_576,
      content_type: 'application/octet-stream',
      payload_encoding: 'base64',
    })
    expect((await send(flow, Buffer.alloc(1_048_577))).statusCode).toBe(413)
  })

  test.each(['', 'csv', 'text/csv, text/plain', 'text/çsv', `text/${'a'.repeat(255)}`])(
    'cannot have the type “%s”',
    async (type) => {
      const answer = await send(await makeFlow(), 'a', { 'content-type': type })
      expect([answer.statusCode, answer.json().detail]).toEqual([415, expect.stringMatching(/media type/)])
    },
  )

  test('is not packed, because the target could not unpack it', async () => {
    const flow = await makeFlow()
    const packed = await send(flow, 'a', { 'content-encoding': 'gzip' })
    expect([packed.statusCode, packed.headers['accept-encoding']]).toEqual([415, 'identity'])
    expect((await send(flow, 'a', { 'content-encoding': 'identity' })).statusCode).toBe(202)
    expect(await list(flow)).toHaveLength(1)
  })

  test('is refused by inbound flows, switched off flows and removed ones', async () => {
    const inbound = await send(await makeFlow({ direction: 'inbound', target: null }), 'a')
    expect([inbound.statusCode, inbound.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'flow_inbound', status: 409, title: 'Conflict' }),
    ])
    const flow = await makeFlow({ is_active: false })
    const off = await send(flow, 'a')
    expect([off.statusCode, off.json().code, off.json().detail]).toEqual([
      409,
      'flow_inactive',
      expect.stringMatching(/switched off/),
    ])
    expect(await list(flow)).toEqual([])
    await call('DELETE', `${url}/${flow}`)
    expect((await send(flow, 'a')).statusCode).toBe(404)
  })

  test('is kept while the engine has switched the target off, and due when somebody switches it on', async () => {
    const flow = await makeFlow()
    await disable(flow, 'gone')
    const run = await start(flow)
    expect(await show(flow, run)).toMatchObject({ state: 'queued', next_attempt_at: null })
    const { rows } = await sql`select 1 from deliveries where id = ${run} and status = 'held'`.execute(database.db)
    expect(rows).toHaveLength(1)
    await call('PATCH', `${url}/${flow}`, { is_active: true })
    const jobs = await sql<{ total: number }>`select total from redeliveries where status = 'running'`.execute(
      database.db,
    )
    expect(jobs.rows.map(({ total }) => total)).toContain(1)
  })

  test.each(['0', 'abc', '9007199254740992', '4711'])('is for no flow %s', async (flow) => {
    expect((await send(flow, 'a')).statusCode).toBe(404)
  })
})

describe('data with an Idempotency-Key', () => {
  const key = (name: string, type = 'text/plain') => ({ 'idempotency-key': name, 'content-type': type })

  test('is sent once, however often and however much at once', async () => {
    const flow = await makeFlow()
    const bytes = Buffer.from([0, 255, 1])
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(flow, bytes, key('twenty'))))
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    expect(answers[0]?.statusCode).toBe(202)
    expect(await list(flow)).toHaveLength(1)
    expect((await send(flow, bytes, key('twenty'))).headers['idempotency-replayed']).toBe('true')
  })

  test('is refused with other bytes, or as something else', async () => {
    const flow = await makeFlow()
    expect((await send(flow, 'a', key('other'))).statusCode).toBe(202)
    for (const [data, type] of [
      ['b', 'text/plain'],
      ['a', 'text/csv'],
      ['a', ''],
    ] as const) {
      const headers = type === '' ? { 'idempotency-key': 'other' } : key('other', type)
      expect([(await send(flow, data, headers)).json().code, type]).toEqual(['idempotency_key_reused', type])
    }
    expect(await list(flow)).toHaveLength(1)
  })

  test('is other data in another flow', async () => {
    const [one, other] = [await makeFlow(), await makeFlow()]
    const answers = [await send(one, 'a', key('flows')), await send(other, 'a', key('flows'))]
    expect(answers[0]?.json().run_id).not.toBe(answers[1]?.json().run_id)
  })
})

describe('runs', () => {
  test('are listed the newest first, by state and time, a page at a time', async () => {
    const flow = await makeFlow()
    const runs = [
      await start(flow),
      await start(flow),
      await start(flow),
      await start(flow),
      await start(flow),
    ] as const
    await set(runs[1], `attempts = 1`)
    await set(runs[2], `status = 'delivered', attempts = 1`)
    await set(runs[3], `status = 'failed', attempts = 2`)
    await set(runs[4], `status = 'held'`)
    const ids = async (query: string) => (await list(flow, query)).map(({ run_id: id }: { run_id: number }) => id)
    expect(await ids('')).toEqual(runs.toReversed())
    expect(await ids('state=queued')).toEqual([runs[4], runs[0]])
    expect(await ids('state=running')).toEqual([runs[1]])
    expect(await ids('state=succeeded')).toEqual([runs[2]])
    expect(await ids('state=failed')).toEqual([runs[3]])
    const { created_at: middle } = await show(flow, runs[2])
    const after = await ids(`created_at__gte=${middle}`)
    const before = await ids(`created_at__lt=${middle}`)
    expect([...after, ...before]).toEqual(runs.toReversed())
    expect(after).toContain(runs[2])
    expect(await ids('created_at__gte=0001-01-01T00:00:00Z&created_at__lt=9999-12-31%2023:59:59')).toEqual(
      runs.toReversed(),
    )
    const page = await call('GET', `${url}/${flow}/runs?limit=2&page=2&state=queued`)
    expect([page.json(), page.headers['x-total-count']]).toEqual([[], '2'])
    expect(page.headers.link).toContain('state=queued')
  })

  test.each([
    'state=done',
    'state=',
    'created_at__gte=soon',
    'created_at__lt=2026-13-01T00:00:00Z',
    'uuid=x',
    'page=0',
    'limit=x',
  ])('are not listed by %s', async (query) => {
    const answer = await call('GET', `${url}/${await makeFlow()}/runs?${query}`)
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([400, [query.split('=')[0]]])
  })

  test('are found by the webhook-id that the target got, in their own flow alone', async () => {
    const [flow, other] = [await makeFlow(), await makeFlow()]
    const run = await start(flow)
    await start(flow)
    const { uuid } = await show(flow, run)
    const ids = async (of: number, text: string) =>
      (await list(of, `uuid=${text}`)).map(({ run_id: id }: { run_id: number }) => id)
    expect(await ids(flow, uuid)).toEqual([run])
    expect(await ids(flow, uuid.replaceAll('-', '').toUpperCase())).toEqual([run])
    expect(await ids(other, uuid)).toEqual([])
    expect(await ids(flow, 'd960acbe-4193-44b8-b254-df115cf6d2e7')).toEqual([])
  })

  test('show large data only one at a time, and always its size', async () => {
    const flow = await makeFlow()
    const sizes = [12_287, 12_288, 12_289, 12_290, 100_000]
    for (const size of sizes) await start(flow, Buffer.alloc(size, 'a'))
    const runs = (await list(flow)).toReversed()
    expect(runs.map(({ size }: { size: number }) => size)).toEqual(sizes)
    const shown = (run: { payload: string | null }) => run.payload?.length ?? null
    expect(runs.map(shown)).toEqual([12_287, 12_288, null, null, null])
    expect(runs[4].payload_encoding).toBeNull()
    expect((await show(flow, runs[4].run_id)).payload).toHaveLength(100_000)
  })

  test('of another flow do not exist, and neither do other deliveries', async () => {
    const [flow, other] = [await makeFlow(), await makeFlow()]
    const run = await start(flow)
    const inbound = await makeFlow({ direction: 'inbound', target: null })
    const hook = { event_type: 'stock_location.created', target_url: 'http://127.0.0.1:4109/' }
    await call('POST', '/whisperer/hooks/', hook)
    await call('POST', '/api/v1/stock_locations/', { code: 'IST-1', name: 'Main' })
    const [event] = (await call('GET', '/whisperer/hook_events/')).json()
    const pairs = [
      [other, run],
      [inbound, run],
      [flow, event.id],
      [flow, 0],
      [flow, 'x'],
      [flow, '9007199254740992'],
      ['x', run],
      [4711, run],
    ]
    for (const [of = '', id = ''] of pairs) {
      expect([(await call('GET', `${url}/${of}/runs/${id}`)).statusCode, of, id]).toEqual([404, of, id])
      expect([(await retry(of, id)).statusCode, of, id]).toEqual([404, of, id])
    }
    expect(await list(inbound)).toEqual([])
    expect((await call('GET', `${url}/4711/runs`)).statusCode).toBe(404)
  })

  test('are not among what hooks delivered', async () => {
    await start(await makeFlow())
    const events = (await call('GET', '/whisperer/hook_events/?limit=1000')).json<{ event_type: string }[]>()
    expect(events.filter(({ event_type: type }) => type.startsWith('flow'))).toEqual([])
  })

  test('that are due end as failed with their flow, and can still be read', async () => {
    const flow = await makeFlow()
    const run = await start(flow)
    expect((await call('DELETE', `${url}/${flow}`)).statusCode).toBe(204)
    expect(await show(flow, run)).toMatchObject({
      state: 'failed',
      next_attempt_at: null,
      payload: 'data',
      finished_at: expect.any(String),
    })
    expect(await list(flow, 'state=failed')).toHaveLength(1)
    expect((await retry(flow, run)).json()).toMatchObject({ status: 409, code: 'run_ended' })
    expect((await retry(flow, run, { force: true })).statusCode).toBe(409)
  })

  test('of a flow that is removed while data comes are all ended', async () => {
    const flow = await makeFlow()
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => send(flow, 'a')),
      call('DELETE', `${url}/${flow}`),
      ...Array.from({ length: 5 }, () => send(flow, 'a')),
    ])
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => ![202, 204, 404].includes(status))).toEqual([])
    expect(await list(flow, 'state=failed')).toHaveLength(statuses.filter((status) => status === 202).length)
  })
})

describe('a run is sent again', () => {
  test.each<[string, string, string | undefined, string | undefined]>([
    ['that is due', `attempts = 1`, 'run_due', undefined],
    ['that has succeeded', `status = 'delivered', attempts = 1`, 'run_succeeded', undefined],
    [
      'that is tried right now',
      `attempts = 1, lease_token = 1, leased_at = now(), leased_until = now() + interval '1 h'`,
      'run_under_way',
      'run_under_way',
    ],
    ['that has failed', `status = 'failed', attempts = 2`, undefined, undefined],
    ['that is kept', `status = 'held'`, undefined, undefined],
  ])('%s: %s', async (_, values, refusal, forced) => {
    const flow = await makeFlow()
    for (const [body, code] of [
      [undefined, refusal],
      [{}, refusal],
      [{ force: false }, refusal],
      [{ force: true }, forced],
    ] as const) {
      const run = await start(flow)
      await set(run, values)
      const answer = await retry(flow, run, body)
      const expected = code === undefined ? [202, undefined] : [409, code]
      expect([answer.statusCode, answer.json().code]).toEqual(expected)
    }
  })

  test.each([`status = 'failed', attempts = 2`, `status = 'delivered', attempts = 1`, `attempts = 1`])(
    'not through a flow that somebody has switched off, forced or not: %s',
    async (values) => {
      const flow = await makeFlow()
      const run = await start(flow)
      await set(run, values)
      const before = await show(flow, run)
      await call('PATCH', `${url}/${flow}`, { is_active: false })
      for (const body of [undefined, { force: true }]) {
        const answer = await retry(flow, run, body)
        expect([answer.statusCode, answer.json().code]).toEqual([409, 'flow_inactive'])
      }
      expect(await show(flow, run)).toEqual(before)
      await call('PATCH', `${url}/${flow}`, { is_active: true })
      expect((await retry(flow, run, { force: true })).statusCode).toBe(202)
    },
  )

  test.each(['gone', 'failing'])(
    'through a flow whose target the server has switched off (%s), when that is back',
    async (reason) => {
      const flow = await makeFlow()
      const run = await start(flow)
      await set(run, `status = 'failed', attempts = 2`)
      await disable(flow, reason)
      expect((await retry(flow, run)).statusCode).toBe(202)
      expect(await show(flow, run)).toMatchObject({ state: 'running', next_attempt_at: expect.any(String) })
    },
  )

  test('once when two ask at once', async () => {
    const flow = await makeFlow()
    const run = await start(flow)
    await set(run, `status = 'failed', attempts = 2`)
    const answers = await Promise.all([retry(flow, run), retry(flow, run), retry(flow, run)])
    expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([202, 409, 409])
    expect(answers.find(({ statusCode }) => statusCode === 202)?.json()).toEqual({ run_id: run, state: 'running' })
    expect(await show(flow, run)).toMatchObject({ state: 'running', finished_at: null })
  })

  test.each<[object]>([[{ force: 'yes' }], [{ force: null }], [{ other: 1 }], [[]]])('not with %j', async (body) => {
    const flow = await makeFlow()
    const answer = await retry(flow, await start(flow), body)
    expect(answer.statusCode).toBe(400)
  })
})

test('all operations of flows are in the OpenAPI document, and data is of any type', async () => {
  const { paths } = (await app.inject({ url: '/openapi.json' })).json()
  expect(
    Object.keys(paths)
      .filter((path) => path.startsWith(url))
      .toSorted(),
  ).toEqual([
    url,
    `${url}/{flowId}`,
    `${url}/{flowId}/data`,
    `${url}/{flowId}/health`,
    `${url}/{flowId}/runs`,
    `${url}/{flowId}/runs/{runId}`,
    `${url}/{flowId}/runs/{runId}/retry`,
    `${url}/{flowId}/secret`,
    `${url}/{flowId}/secret/previous`,
  ])
  expect(Object.keys(paths[`${url}/{flowId}/data`].post.requestBody.content)).toEqual(['*/*'])
})
