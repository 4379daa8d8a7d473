import { pino } from 'pino'
import { afterAll, expect, test, vi } from 'vitest'
import { argon2Passwords } from '#platform/auth/passwords.ts'
import { makeSupervisor, type Supervisor } from '#platform/supervisor.ts'
import { eventually } from '#testing/eventually.ts'
import { makeApprovedQuotations } from '#testing/data/make-approved-quotations.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeReceiver, type Received, type Reply } from '#testing/receiver.ts'
import { makeTestApp, testSecretKey } from '#testing/make-test-app.ts'
import { compose } from '../../../compose.ts'

const log = pino({ level: 'silent' })
const known = new Map<string, number>()
const take = ({ headers }: Received): Reply => {
  const key = String(headers['idempotency-key'])
  known.set(key, known.get(key) ?? 7_001 + known.size)
  return { status: 201, body: `{"number":"S-${known.get(key)}"}` }
}
const shop = await makeReceiver(take)
const clock = makeFakeClock()
const testApp = await makeTestApp({
  clock,
  environment: { COMMERCE_CONNECTOR: 'http', COMMERCE_URL: shop.url, COMMERCE_SECRET: 'a secret of two machines' },
})
const make = makeApprovedQuotations(testApp.database.db)
const running: Supervisor[] = []
const start = async (services: Parameters<typeof makeSupervisor>[0]): Promise<void> => {
  const supervisor = makeSupervisor(services, log)
  running.push(supervisor)
  await supervisor.start()
}
afterAll(async () => {
  for (const supervisor of running) await supervisor.stop()
})

test('an order whose process is gone while the platform works is finished by another process, once', async () => {
  const { database, store, config, call } = testApp
  await start(testApp.services)
  const { promise: never, resolve: atLast } = Promise.withResolvers<Reply>()
  shop.answer(async (request) => {
    take(request)
    return never
  })
  const { id } = await make.quotation()
  await call('POST', `/api/v1/quotations/${id}/create-orders/`, {})
  await shop.got(1)
  const ordersOf = async () => (await call('GET', `/api/v1/quotations/${id}/orders/`)).json<object[]>()
  expect(await ordersOf()).toMatchObject([{ status: 'pending', attempts: 1, remote_number: null }])

  // It does not come back within its time, and here is somebody else.
  clock.advance(60_000)
  shop.answer(take)
  const other = await compose({
    role: 'worker',
    config,
    secretKey: testSecretKey,
    database,
    store,
    clock,
    log,
    passwords: argon2Passwords({ memoryCost: 32, timeCost: 1, parallelism: 1 }),
  })
  afterAll(() => other.app.close())
  await start(other.services)
  const done = [{ status: 'created', attempts: 2, remote_number: 'S-7001', error: null }]
  await vi.waitFor(async () => expect(await ordersOf()).toMatchObject(done), { timeout: 15_000, interval: 25 })

  // It was not gone after all.
  atLast({ status: 500 })
  await eventually(() => expect(shop.received).toHaveLength(2))
  expect([...known.values()]).toEqual([7_001])
  expect(await ordersOf()).toMatchObject(done)
})
