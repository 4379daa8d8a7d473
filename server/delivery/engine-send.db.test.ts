import { afterAll, expect, test } from 'vitest'
import { makeTestEngine } from '#testing/make-test-engine.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeReceiver } from '#testing/receiver.ts'

const engine = await makeTestEngine(await openTestDatabase(), { userAgent: 'Waybill/9.9.9' })
afterAll(() => engine.stop())
const receiver = await makeReceiver({ status: 202, body: 'taken' })

test('an exchange outside of the queue says who sends, and comes back with the answer', async () => {
  const request = { url: `${receiver.url}/orders`, headers: { 'idempotency-key': 'one' }, body: '{}' }
  expect(await engine.send(request)).toMatchObject({ reason: 'response', status: 202, body: 'taken' })
  expect(receiver.received).toMatchObject([
    { path: '/orders', headers: { 'user-agent': 'Waybill/9.9.9', 'idempotency-key': 'one' } },
  ])
})

test('an exchange outside of the queue goes nowhere that a delivery must not go', async () => {
  const request = { url: 'http://169.254.169.254/latest/', headers: {}, body: '{}' }
  expect(await engine.send(request)).toMatchObject({ reason: 'address_refused', status: null })
})
