import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { contentTypes } from '#events/content-types.ts'
import { makeSupervisor } from '#platform/supervisor.ts'
import { makeErrorReports } from '#testing/data/make-error-reports.ts'
import { makeProjects } from '#testing/make-projects.ts'
import { makeReceiver } from '#testing/receiver.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const testApp = await makeTestApp({
  environment: { MAX_ATTEMPTS: '1', ENDPOINT_FAILING_AFTER: '1000', PUBLIC_URL: 'https://waybill.test' },
})
const { app, call, superuser, services } = testApp
const { projectUrl, callAs } = await makeProjects(testApp)
const me = (await call('GET', '/api/v1/auth/me/')).json<{ id: number }>().id
const receiver = await makeReceiver()
const supervisor = makeSupervisor(services, pino({ level: 'silent' }))
beforeAll(() => supervisor.start())
afterAll(() => supervisor.stop())
beforeEach(() => {
  receiver.answer({ status: 500, headers: { 'x-shop': 'broken' }, body: '{"error":"no stock"}' })
  receiver.received.length = 0
})

type Wire = Record<string, unknown> & { readonly id: number; readonly group: number; readonly retry_count: number }
const base = '/api/v1/error_reports/'

/** Reports of a delivery, the newest first. */
const reportsOf = async (delivery: number): Promise<Wire[]> =>
  (await call('GET', `${base}?action_object_id__in=${delivery}`)).json<Wire[]>()
/** Resolves with the newest report of a delivery when that is as expected. */
const reportOf = (delivery: number, expected: object = { is_ok: false }) =>
  vi.waitFor(
    async () => {
      const [report] = await reportsOf(delivery)
      expect(report).toMatchObject(expected)
      return report as Wire
    },
    { timeout: 15_000, interval: 25 },
  )
/** Where a report says that an object of it is shown. */
const shownAt = (report: Wire, name: 'action' | 'target'): string =>
  new URL((report[name] as { url: string }).url).pathname
const retry = (id: number, headers: Record<string, string> = {}) => call('POST', `${base}${id}/retry/`, {}, headers)

let locations = 0
/** A hook to a path of its own. */
const makeHook = async (): Promise<number> => {
  const hook = {
    event_type: 'stock_location.created',
    target_url: `${receiver.url}/hush-path-${++locations}?token=hush-query`,
    additional_headers: { Authorization: 'Bearer hush-credential' },
  }
  const answer = await call('POST', '/whisperer/hooks/', hook)
  expect(answer.statusCode).toBe(201)
  return answer.json<{ id: number }>().id
}
/** Raises an event. @returns ids of its deliveries to a hook. */
const raise = async (hook: number): Promise<number> => {
  const body = { code: `L-${++locations}`, name: 'Main', kind: 'warehouse' }
  expect((await call('POST', '/api/v1/stock_locations/', body)).statusCode).toBe(201)
  const [event] = (await call('GET', `/whisperer/hook_events/?webhook=${hook}&limit=1`)).json<{ id: number }[]>()
  return event?.id ?? 0
}
const remove = (hook: number) => call('DELETE', `/whisperer/hooks/${hook}/`)

test('a delivery that runs out of attempts is a report with everything, retried by it, and resolved by success', async () => {
  const hook = await makeHook()
  const delivery = await raise(hook)
  const report = await reportOf(delivery)
  const path = `https://waybill.test/whisperer`
  expect(report).toMatchObject({
    action_content_type: contentTypes.delivery,
    action: {
      type: 'delivery',
      id: delivery,
      label: expect.stringMatching(/^Delivery of stock_location\.created \(stocklocation \d+\)$/),
      url: `${path}/hook_events/${delivery}/`,
    },
    target_content_type: contentTypes.webhook,
    target_object_id: String(hook),
    target: { type: 'webhook', id: String(hook), label: `Webhook ${hook}`, url: `${path}/hooks/${hook}/` },
    error_code: 'http_500',
    error_desc: `Delivery to ${receiver.url} failed`,
    channel: null,
    group: expect.any(Number),
    source: 'delivery',
    is_retryable: true,
    retry_count: 0,
    last_retry_date: null,
    resolved_how: null,
  })
  expect(report['raw_request']).toMatch(/^POST http:\/\/127\.0\.0\.1:\d+\n/)
  expect(report['raw_request']).toContain('"type":"stock_location.created"')
  expect(report['raw_request']).toContain('webhook-id: ')
  expect(report['raw_response']).toContain('HTTP 500\n')
  expect(report['raw_response']).toContain('x-shop: broken')
  expect(report['raw_response']).toContain('{"error":"no stock"}')
  expect(JSON.stringify(report)).not.toContain('hush-')
  expect((await call('GET', shownAt(report, 'action'))).statusCode).toBe(200)
  expect((await call('GET', shownAt(report, 'target'))).statusCode).toBe(200)

  receiver.answer({})
  const started = await retry(report.id)
  expect([started.statusCode, started.json()]).toEqual([
    202,
    expect.objectContaining({ id: report.id, is_ok: false, retry_count: 1, last_retry_date: expect.any(String) }),
  ])
  const resolved = await reportOf(delivery, { is_ok: true })
  expect(resolved).toMatchObject({
    id: report.id,
    resolved_how: 'retried',
    resolved_by: me,
    resolved_date: expect.any(String),
    is_retryable: false,
  })
  expect(receiver.received).toHaveLength(2)
  expect(receiver.received[1]?.body.equals(receiver.received[0]?.body ?? Buffer.alloc(0))).toBe(true)
  expect((await call('GET', `/api/v1/error_report_groups/${report.group}/`)).json()).toMatchObject({
    state: 'resolved',
    open_count: 0,
  })
  const again = await retry(report.id)
  expect([again.statusCode, again.json().code]).toEqual([409, 'already_resolved'])
  await remove(hook)
})

test('a retry that fails renews the report; the same request again changes nothing', async () => {
  const hook = await makeHook()
  const delivery = await raise(hook)
  const report = await reportOf(delivery)
  receiver.answer({ status: 503 })
  const key = { 'idempotency-key': `retry-${report.id}` }
  expect((await retry(report.id, key)).statusCode).toBe(202)
  const renewed = await reportOf(delivery, { error_code: 'http_503' })
  expect(renewed).toMatchObject({
    id: report.id,
    is_ok: false,
    retry_count: 1,
    raw_response: expect.stringMatching(/^HTTP 503/),
  })
  const repeated = await retry(report.id, key)
  expect([repeated.statusCode, repeated.headers['idempotency-replayed']]).toEqual([202, 'true'])
  expect(await reportsOf(delivery)).toMatchObject([{ retry_count: 1 }])
  expect(receiver.received).toHaveLength(2)
  await remove(hook)
})

test('a run of a flow is a report of its own kind, and resolved by the retry that the flow has', async () => {
  const made = await call('POST', '/api/nifi/flows', {
    direction: 'outbound',
    name: 'ERP',
    target: `${receiver.url}/hush-path`,
  })
  const { id: flow } = made.json<{ id: number }>()
  const sent = await app.inject({
    method: 'POST',
    url: `/api/nifi/flows/${flow}/data`,
    payload: Buffer.from('a;b'),
    headers: { authorization: superuser.authorization, 'content-type': 'text/csv' },
  })
  const { run_id: run } = sent.json<{ run_id: number }>()
  const report = await reportOf(run)
  const path = `https://waybill.test/api/nifi/flows/${flow}`
  expect(report).toMatchObject({
    action_content_type: contentTypes.flowrun,
    action: { type: 'flowrun', id: run, label: `Run ${run} of Flow “ERP”`, url: `${path}/runs/${run}` },
    target_content_type: contentTypes.flow,
    target_object_id: String(flow),
    target: { type: 'flow', label: 'Flow “ERP”', url: path },
    error_desc: `Flow “ERP” to ${receiver.url} failed`,
  })
  expect(report['raw_request']).toMatch(/\n\n\[text\/csv, 3 bytes\]$/)
  receiver.answer({})
  expect((await call('POST', `/api/nifi/flows/${flow}/runs/${run}/retry`, {})).statusCode).toBe(202)
  expect(await reportOf(run, { is_ok: true })).toMatchObject({ resolved_how: 'later_success', resolved_by: null })
})

test('a delivery to the webhook of a project shows where the project shows it', async () => {
  const body = { name: 'CI', events: ['deployment.build.created'], url: `${receiver.url}/hush-path` }
  const made = await callAs('developer', `POST ${projectUrl}/settings/webhooks`, body)
  const webhook = new URL(String(made.headers.location)).pathname
  const build = { type: 'build', platform: 'android', environment: 'production' }
  await callAs('developer', `POST ${projectUrl}/deployments`, build)
  await receiver.got(1)
  const report = await vi.waitFor(
    async () => {
      const query = `target_content_type=webhook&action_content_type=delivery&limit=1`
      const [newest] = (await call('GET', `${base}?${query}`)).json<Wire[]>()
      expect(newest).toMatchObject({ target: { url: `https://waybill.test${webhook}` } })
      return newest as Wire
    },
    { timeout: 15_000, interval: 25 },
  )
  expect(report).toMatchObject({
    target_object_id: webhook.slice(webhook.lastIndexOf('/') + 1),
    target: { label: `Webhook ${webhook.slice(webhook.lastIndexOf('/') + 1)}` },
    raw_request: expect.stringContaining('for the members of the project'),
  })
  expect(report['raw_request']).not.toContain('"deployment.build.created"')
  expect(report['raw_response']).not.toContain('no stock')
  const shown = await callAs('viewer', `GET ${shownAt(report, 'action')}`)
  expect([shown.statusCode, shown.json()]).toMatchObject([200, { status: 'failed' }])

  await callAs('developer', `PATCH ${webhook}`, { active: false })
  expect((await retry(report.id)).json()).toMatchObject({ code: 'not_retryable' })
  await callAs('developer', `PATCH ${webhook}`, { active: true })
  receiver.answer({})
  expect((await retry(report.id)).statusCode).toBe(202)
  await reportOf(report['action_object_id'] as number, { is_ok: true, resolved_how: 'retried' })
})

test('a report of our own stays about what it is about, so that nothing else can be sent by it', async () => {
  const hook = await makeHook()
  const delivery = await raise(hook)
  const report = await reportOf(delivery)
  const url = `${base}${report.id}/`
  const same = await call('PATCH', url, { action_object_id: delivery, target_object_id: String(hook) })
  expect(same.statusCode).toBe(200)
  const changes = { action_object_id: 1, action_content_type: 1, target_object_id: '1', target_content_type: null }
  for (const [field, value] of Object.entries(changes)) {
    const refused = await call('PATCH', url, { [field]: value })
    expect([refused.statusCode, Object.keys(refused.json())]).toEqual([400, [field]])
  }
  expect((await call('PATCH', `${url}update_action_object_id/`, { action_object_id: 1 })).statusCode).toBe(400)
  await remove(hook)
})

test('a report that was closed by hand is not opened again beside another one of the same delivery', async () => {
  const hook = await makeHook()
  const delivery = await raise(hook)
  const closed = await reportOf(delivery)
  await call('PATCH', `${base}${closed.id}/`, { is_ok: true })
  await call('POST', `/whisperer/hook_events/${delivery}/retry/`, {})
  const open = await reportOf(delivery)
  expect(open.id).not.toBe(closed.id)
  const refused = await call('PATCH', `${base}${closed.id}/`, { is_ok: false })
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'already_open'])
  await remove(hook)
})

test('a delivery by hand resolves the report as a later success', async () => {
  const hook = await makeHook()
  const delivery = await raise(hook)
  await reportOf(delivery)
  receiver.answer({})
  expect((await call('POST', `/whisperer/hook_events/${delivery}/retry/`, {})).statusCode).toBe(200)
  expect(await reportOf(delivery, { is_ok: true })).toMatchObject({ resolved_how: 'later_success', resolved_by: null })
  await remove(hook)
})

test('all of a group are retried at once, and counted', async () => {
  const hook = await makeHook()
  receiver.answer({ status: 507 })
  const deliveries = [await raise(hook), await raise(hook), await raise(hook)]
  const reports: Wire[] = []
  for (const delivery of deliveries) reports.push(await reportOf(delivery))
  const group = reports[0]?.group
  expect(reports.map((report) => report.group)).toEqual([group, group, group])
  receiver.answer({})
  const answer = await call('POST', `/api/v1/error_report_groups/${group}/retry_all/`, {})
  expect(answer.json()).toEqual({ status: 'done', total: 3, started: 3, not_retryable: 0, not_allowed: 0 })
  for (const delivery of deliveries)
    await reportOf(delivery, { is_ok: true, resolved_how: 'retried', resolved_by: me, retry_count: 1 })
  await remove(hook)
})

describe('a retry is refused', () => {
  test('for what somebody else reported', async () => {
    const { id } = await makeErrorReports(testApp).report()
    const answer = await retry(id)
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'not_retryable'])
    expect((await call('GET', `${base}${id}/`)).json()).toMatchObject({
      source: null,
      is_retryable: false,
      retry_count: 0,
    })
  })

  test('while its hook is switched off, and once that is removed', async () => {
    const hook = await makeHook()
    const delivery = await raise(hook)
    const { id } = await reportOf(delivery)
    await call('PATCH', `/whisperer/hooks/${hook}/`, { is_active: false })
    const off = await retry(id)
    expect([off.statusCode, off.json()]).toMatchObject([409, { code: 'not_retryable' }])
    expect(off.body).toContain('switched off')
    await remove(hook)
    expect((await retry(id)).body).toContain('its receiver was removed')
    expect(await reportsOf(delivery)).toMatchObject([{ retry_count: 0, last_retry_date: null }])
  })

  test('and a report says so before it is tried', async () => {
    const hook = await makeHook()
    const delivery = await raise(hook)
    const { id } = await reportOf(delivery, { is_retryable: true })
    const isRetryable = async (): Promise<boolean[]> => {
      const one = (await call('GET', `${base}${id}/`)).json<{ is_retryable: boolean }>()
      return [one.is_retryable, (await reportsOf(delivery))[0]?.['is_retryable'] as boolean]
    }
    await call('PATCH', `/whisperer/hooks/${hook}/`, { is_active: false })
    expect(await isRetryable()).toEqual([false, false])
    await call('PATCH', `/whisperer/hooks/${hook}/`, { is_active: true })
    expect(await isRetryable()).toEqual([true, true])
    await remove(hook)
    expect(await isRetryable()).toEqual([false, false])
  })

  test('for a report that there is not', async () => {
    expect((await retry(987_654_321)).statusCode).toBe(404)
  })
})
