import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, expect, test, vi } from 'vitest'
import { contentTypes } from '#events/content-types.ts'
import { systemClock } from '#platform/clock.ts'
import { makeSupervisor } from '#platform/supervisor.ts'
import { eventually } from '#testing/eventually.ts'
import { makeApprovedQuotations } from '#testing/data/make-approved-quotations.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { makeRemoveOld } from './export-job.ts'

const testApp = await makeTestApp({ environment: { PUBLIC_URL: 'https://waybill.test' } })
const { call, database, services } = testApp
const { db } = database
const { id: quotation } = await makeApprovedQuotations(db).quotation()
const runs = makeSupervisor(services, pino({ level: 'silent' }))
afterAll(() => runs.stop())

/** More orders than an xls holds. */
const addOrders = async () => {
  await sql`
    insert into quotation_orders (number, quotation_id, revision, division_id, division_name, batch_no, quantity, amount, currency,
      items, status, created_at, modified_at)
    select 'O-' || n, id, 1, division_id, '', n, 1, 1, currency, '[]', 'created', now(), now()
    from quotations cross join generate_series(1, 70000) as n where id = ${quotation}`.execute(db)
  // A connection that planned the check of references when there were few would read all of them for each that is deleted.
  await sql`analyze quotation_orders`.execute(db)
}

const path = '/api/v1/quotations/export/'
const stateWhen = (key: string, status: string) =>
  vi.waitFor(
    async () => {
      const state = (await call('GET', `${path}?status_cache_key=${key}`)).json<Record<string, unknown>>()
      expect(state['status']).toBe(status)
      return state
    },
    { timeout: 20_000, interval: 50 },
  )
const reports = async (query: string) =>
  (await call('GET', `/api/v1/error_reports/?${query}`)).json<Record<string, unknown>[]>()

test('an xls that would not hold all rows is refused before it starts, with the count and what can hold them', async () => {
  await addOrders()
  const answer = await call('GET', path)
  expect([answer.statusCode, answer.json()]).toEqual([
    400,
    { format: ['An xls holds 65,535 rows, and this export has 70,000. Formats that can hold it: csv and xlsx.'] },
  ])
  expect((await call('GET', `${path}?format=xls&status=draft`)).statusCode).toBe(202)
  await sql`delete from quotation_orders`.execute(db)
})

test('an export that fails is an error report, whose retry makes it after all', async () => {
  const key = (await call('GET', path)).json<{ status_cache_key: string }>().status_cache_key
  // It grows beyond what an xls holds before anybody begins.
  await addOrders()
  await runs.start()
  const failed = await stateWhen(key, 'failed')
  expect(failed).toMatchObject({ is_ready: false, url: '', error: expect.stringContaining('65,535') })

  const [report] = await eventually(async () => {
    const found = await reports('is_ok=false&action_content_type=export')
    expect(found).toHaveLength(1)
    return found
  })
  expect(report).toMatchObject({
    action_content_type: contentTypes.export,
    target_content_type: null,
    error_code: 'export_failed',
    error_desc: expect.stringContaining('65,535'),
    raw_request: expect.stringContaining('"format":"xls"'),
    source: 'export',
    is_retryable: true,
  })

  await sql`delete from quotation_orders`.execute(db)
  const retried = await call('POST', `/api/v1/error_reports/${String(report?.['id'])}/retry/`, {})
  expect(retried.statusCode).toBe(202)
  expect(await stateWhen(key, 'completed')).toMatchObject({ is_ready: true, rows_done: 1, error: null })
  const [resolved] = await reports(
    `action_content_type=export&action_object_id__in=${String(report?.['action_object_id'])}`,
  )
  expect(resolved).toMatchObject({ is_ok: true, resolved_how: 'retried', resolved_by: expect.any(Number) })
})

test('what has expired is removed with its file', async () => {
  const { rows } = await sql<{ id: number; file: string }>`
    update exports set expires_at = now() - interval '1 second' where status = 'completed' returning id, file`.execute(
    db,
  )
  const file = rows[0]?.file ?? ''
  const before = await testApp.store.read(file)
  before?.destroy()
  expect(before).toBeDefined()
  const { store } = testApp
  await makeRemoveOld({ db, clock: systemClock, files: store })(new AbortController().signal)
  const left = await sql<{ count: number }>`select count(*) as count from exports where file = ${file}`.execute(db)
  expect(left.rows[0]?.count).toBe(0)
  expect(await testApp.store.read(file)).toBeUndefined()
})
