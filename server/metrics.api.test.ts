import { expect, test } from 'vitest'
import { makeTestApp } from '#testing/make-test-app.ts'

const { app, call, services } = await makeTestApp()
const metrics = async (): Promise<readonly string[]> => (await app.inject('/metrics')).body.split('\n')
/** Lines of a metric with values, without its description. */
const samples = async (name: string): Promise<string[]> =>
  (await metrics()).filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))

test('requests are counted by the pattern of their route, their method and the class of their status', async () => {
  for (const id of [1, 2, 3]) await call('GET', `/api/v1/stock_locations/${id}/`)
  await call('POST', '/api/v1/stock_locations/', { code: 'A', name: 'A' })
  for (const path of ['/nothing/here', '/nothing/there']) await call('GET', path)
  const counted = await samples('waybill_http_request_seconds_count')
  expect(counted).toEqual(
    expect.arrayContaining([
      'waybill_http_request_seconds_count{method="GET",route="/api/v1/stock_locations/:id",status="4xx"} 3',
      'waybill_http_request_seconds_count{method="POST",route="/api/v1/stock_locations",status="2xx"} 1',
      'waybill_http_request_seconds_count{method="GET",route="none",status="4xx"} 2',
    ]),
  )
})

test('what the process has not looked at is absent, not 0', async () => {
  for (const name of [
    'waybill_deliveries_due',
    'waybill_delivery_oldest_due_seconds',
    'waybill_delivery_lost',
    'waybill_invariant_violations',
    'waybill_invariant_checked_at',
    'waybill_retention_kept_weeks',
    'waybill_subscriptions',
    'waybill_jobs_waiting',
    'waybill_orders_waiting',
    'waybill_error_reports',
    'waybill_error_reports_created',
  ])
    expect([name, await samples(name)]).toEqual([name, []])
})

test('a process that works shows what waits in the database', async () => {
  const gauges = services.find(({ name }) => name === 'gauges')
  await gauges?.start()
  await expect.poll(() => samples('waybill_error_reports_created')).toEqual(['waybill_error_reports_created 0'])
  await gauges?.stop()
  expect(await samples('waybill_orders_waiting')).toEqual(
    ['failed', 'given_up', 'pending'].map((status) => `waybill_orders_waiting{status="${status}"} 0`),
  )
  expect(await samples('waybill_error_reports')).toEqual(
    expect.arrayContaining(['waybill_error_reports{state="open"} 0', 'waybill_error_reports{state="ok"} 0']),
  )
  expect(await samples('waybill_jobs_waiting')).toContain('waybill_jobs_waiting{queue="export"} 0')
})

test('connections to the database are counted when somebody asks', async () => {
  const [line = ''] = await samples('waybill_database_connections')
  expect(Number(line.split(' ')[1])).toBeGreaterThan(0)
  expect(await samples('waybill_database_waiting')).toEqual(['waybill_database_waiting 0'])
})
