import { expect, test } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { makeReceiver } from '#testing/receiver.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { makeLogger } from '#platform/telemetry.ts'
import { nextSteps } from './next-steps.ts'

const lines: Record<string, unknown>[] = []
const log = makeLogger('warn', nextSteps, { write: (line) => void lines.push(JSON.parse(line)) })
const environment = { MAX_ATTEMPTS: '1', ENDPOINT_FAILING_AFTER: '2' }
const { call, services } = await makeTestApp({ log, environment })
const receiver = await makeReceiver({ status: 500 })

test('lines about deliveries that fail name the subscription, the reason and the next step', async () => {
  const hook = { event_type: 'stock_location.created', target_url: receiver.url }
  const made = await call('POST', '/whisperer/hooks/', hook)
  expect([made.statusCode, made.body]).toEqual([201, expect.any(String)])
  for (const service of services) await service.start()
  try {
    for (const code of ['A', 'B', 'C']) await call('POST', '/api/v1/stock_locations/', { code, name: code })
    const messages = ['delivery.failed', 'subscription.failing']
    const told = () => lines.filter(({ msg }) => messages.includes(String(msg)))
    await eventually(() => {
      const missing = messages.filter((message) => !told().some(({ msg }) => msg === message))
      if (missing.length > 0) throw new Error(`The log does not have ${missing.join()}.`)
    })
    for (const line of told())
      expect(line).toMatchObject({
        subscriptionId: expect.any(Number),
        reason: expect.stringMatching(/./),
        nextStep: nextSteps[String(line['msg'])],
      })
  } finally {
    for (const service of services.toReversed()) await service.stop()
  }
})
