import { pino } from 'pino'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
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
afterEach(async () => {
  for (const supervisor of running.splice(0)) await supervisor.stop()
  shop.received.length = 0
  known.clear()
})

/** A process that pushes what others ask for, on the same database. */
const startOther = async (): Promise<void> => {
  const { config, database, store } = testApp
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
}
const soon = { timeout: 15_000, interval: 25 }

interface Wire {
  readonly id: number
  readonly status: string
  readonly attempts: number
}

test('orders that somebody has tried again are tried at once by the process that has made a pause', async () => {
  const { call } = testApp
  await startOther()
  shop.answer({ status: 503 })
  const lines = [{ productRemoteId: 'CHAIR', net: 900n, divisions: [{ id: await make.division(), quantity: 12 }] }]
  const { id } = await make.quotation({ lines, batchSize: 1 })
  const path = `/api/v1/quotations/${id}`
  const ordersOf = async () => (await call('GET', `${path}/orders/`)).json<Wire[]>()
  const untried = (orders: readonly Wire[]) => orders.filter(({ attempts }) => attempts === 0)
  /** Resolves when so many have been tried, and their failure is known. */
  const failedWhen = (least: number) =>
    vi.waitFor(async () => {
      const orders = await ordersOf()
      const failed = orders.filter(({ status }) => status === 'failed')
      expect(failed.length).toBeGreaterThanOrEqual(least)
      expect(failed.length + untried(orders).length).toBe(12)
      return orders
    }, soon)
  await call('POST', `${path}/create-orders/`, {})
  // The clock stands still: the pause ends for nobody who does not ask.
  const paused = await failedWhen(4)
  expect(untried(paused).length).toBeGreaterThanOrEqual(1)

  // It is still away: one order finds that out, whichever has waited longest.
  clock.advance(1)
  shop.received.length = 0
  const [waiting] = untried(paused)
  expect((await call('POST', `/api/v1/orders/${waiting?.id}/retry/`, {})).statusCode).toBe(202)
  const stillAway = await failedWhen(12 - untried(paused).length + 1)
  expect([untried(paused).length - untried(stillAway).length, shop.received.length]).toEqual([1, 1])

  clock.advance(1)
  shop.answer(take)
  const retried = await call('POST', `/api/v1/orders/retry/?quotation=${id}`, {})
  expect(retried.json()).toMatchObject({ count: 12 - untried(stillAway).length })
  await vi.waitFor(async () => expect((await ordersOf()).map(({ status }) => status)).toEqual(created(12)), soon)
})
const created = (count: number): string[] => Array.from({ length: count }, () => 'created')

test('an order whose process is gone while the platform works is finished by another process, once', async () => {
  const { call } = testApp
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
  await startOther()
  const done = [{ status: 'created', attempts: 2, remote_number: 'S-7001', error: null }]
  await vi.waitFor(async () => expect(await ordersOf()).toMatchObject(done), soon)

  // It was not gone after all.
  atLast({ status: 500 })
  await eventually(() => expect(shop.received).toHaveLength(2))
  expect([...known.values()]).toEqual([7_001])
  expect(await ordersOf()).toMatchObject(done)
})
