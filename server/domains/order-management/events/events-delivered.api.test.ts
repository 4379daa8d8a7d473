import { pino } from 'pino'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { orderManagementEvents } from '#events/order-management.ts'
import { makeSupervisor } from '#platform/supervisor.ts'
import { eventually } from '#testing/eventually.ts'
import { makeReceiver } from '#testing/receiver.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const { call, services, database } = await makeTestApp()
const receiver = await makeReceiver()
const supervisor = makeSupervisor(services, pino({ level: 'silent' }))
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const data = orderManagementEvents['shipment.status.updated'].example
const raise = (body: object) => call('POST', '/api/v1/events/', body)
const longAgo = new Date('2026-01-05T00:00:00Z')

beforeAll(async () => {
  const forgotten = { userId: 1, id: 'old', contentHash: 'x', acceptedAt: longAgo }
  await database.db.insertInto('externalEvents').values(forgotten).execute()
  await raise({ id: 'first', type: 'package.created', data: orderManagementEvents['package.created'].example })
  await supervisor.start()
  const hook = { event_type: 'shipment-status-updated', target_url: `${receiver.url}/hook`, secret_key: secret }
  await call('POST', '/whisperer/hooks/', hook)
})
afterAll(() => supervisor.stop())

test('a subscriber gets what was raised, signed, once, and numbered among the events of its object', async () => {
  const send = (id: string, fields: object = {}) =>
    raise({ id, type: 'shipment.status.updated', timestamp: '2026-11-20 12:00:00', data: { ...data, ...fields } })
  await send('a', { depot: 'North' })
  await send('a', { depot: 'North' })
  await receiver.got(1)
  await send('b', { status: 'delivered' })
  const got = await receiver.got(2)
  expect(got).toHaveLength(2)

  const verified = got.map(({ body, headers }) => new Webhook(secret).verify(body, headers as Record<string, string>))
  const event = { type: 'shipment.status.updated', uuid: expect.stringMatching(/^[0-9a-f]{32}$/) as string }
  expect(verified).toEqual([
    { event, payload: { ...data, depot: 'North' } },
    { event, payload: { ...data, status: 'delivered' } },
  ])
  expect(got.map(({ headers }) => [headers['x-whisperer-event'], headers['x-waybill-sequence']])).toEqual([
    ['shipment.status.updated', '1'],
    ['shipment.status.updated', '2'],
  ])
  const log = (await call('GET', '/whisperer/hook_events/')).json<{ object_id: string; content_type: number }[]>()
  expect(log.map(({ object_id: object, content_type: type }) => [object, type])).toEqual([
    ['3', 2],
    ['3', 2],
  ])
})

test('ids of events that are not kept any more are forgotten in the background', async () => {
  await eventually(async () => {
    const ids = await database.db.selectFrom('externalEvents').select('id').execute()
    expect(ids.map(({ id }) => id)).not.toContain('old')
    expect(ids.map(({ id }) => id)).toContain('first')
  })
})
