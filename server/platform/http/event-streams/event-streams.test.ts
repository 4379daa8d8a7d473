import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { makeWatch } from '#testing/watch-stream.ts'
import { makeApp } from '../app.ts'
import { EventStreams, usualLimits, type Limits } from './event-streams.ts'

const principal = { userId: 1, email: '', isStaff: true, isSuperuser: false, divisionId: null, scopes: null }

/** An application with streams that show everything to everybody. */
const makeStreams = async (limits: Partial<Limits>) => {
  const streams = new EventStreams<'all'>({ ...usualLimits, ...limits })
  const app = await makeApp({
    log: pino({ level: 'silent' }),
    authenticate: async () => principal,
    description: {
      version: '0',
      webhooks: {},
      ownWebhooks: async () => ({}),
      errorCodes: [],
      fieldTexts: {},
      readExamples: () => ({}),
    },
    errorShapes: [],
    trustedProxies: [],
    corsOrigins: [],
    routes: [
      async (routes) => {
        routes.get(
          '/api/v1/stream/',
          { config: { access: { role: 'user' } }, exposeHeadRoute: false },
          async (request, reply) => {
            const lastId = request.headers['last-event-id']
            streams.open({ request, reply, wants: () => true, sees: () => true }, lastId?.toString(), () => undefined)
            return reply
          },
        )
      },
    ],
  })
  return { streams, app, watch: await makeWatch(app) }
}
const changed = (item: object) => [{ topic: 'mail', changes: [{ item, audience: 'all' as const }], isCut: false }]

test('a process has so many streams at most', async () => {
  const { watch } = await makeStreams({ streams: 1 })
  const first = await watch()
  const refused = await watch()
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '10'])
  first.cut()
  await eventually(async () => expect((await watch()).status).toBe(200))
})

test('a client that does not read is cut off, and goes on where it stopped', async () => {
  const { streams, watch } = await makeStreams({ unread: 200_000 })
  const slow = await watch()
  await eventually(() => expect(slow.lastId()).toBeDefined())
  const lastId = slow.lastId() ?? ''
  slow.pause()
  let sent = 0
  while (streams.size > 0 && sent < 2_000) {
    streams.publish(changed({ id: (sent += 1), text: 'x'.repeat(20_000) }))
    await sleep(1)
  }
  expect(streams.size).toBe(0)
  // Buffers of the system take megabytes before anything waits here: too much to be told of.
  const back = await watch({ headers: { 'last-event-id': lastId } })
  await eventually(() => expect(back.messages.map(({ event }) => event)).toEqual(['reset']))
  const position = back.lastId() ?? ''
  back.cut()
  for (const id of [1, 2, 3]) streams.publish(changed({ id }))
  const again = await watch({ headers: { 'last-event-id': position } })
  await eventually(() => expect(again.items('mail')).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]))
  again.cut()
})

test('those who come back after too much has happened are told to read again', async () => {
  const { streams, watch } = await makeStreams({ changes: 3 })
  const first = await watch()
  await eventually(() => expect(first.lastId()).toBeDefined())
  const lastId = first.lastId() ?? ''
  for (const id of [1, 2, 3, 4]) streams.publish(changed({ id }))
  await eventually(() => expect(first.items('mail')).toHaveLength(4))
  const back = await watch({ headers: { 'last-event-id': lastId } })
  await eventually(() => expect(back.messages.map(({ event }) => event)).toEqual(['reset']))
  first.cut()
  back.cut()
})
