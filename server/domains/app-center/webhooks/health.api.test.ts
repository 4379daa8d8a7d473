import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeSupervisor } from '#platform/supervisor.ts'
import { eventually } from '#testing/eventually.ts'
import { makeProjects } from '#testing/make-projects.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { makeReceiver } from '#testing/receiver.ts'

const testApp = await makeTestApp()
const { projectUrl, callAs } = await makeProjects(testApp)
const collection = `${projectUrl}/settings/webhooks`
const receiver = await makeReceiver()
const supervisor = makeSupervisor(testApp.services, pino({ level: 'silent' }))
beforeAll(() => supervisor.start())
afterAll(() => supervisor.stop())
beforeEach(async () => {
  for (const { _id } of (await callAs('owner', `GET ${collection}?limit=50`)).json<{ _id: string }[]>())
    await callAs('owner', `DELETE ${collection}/${_id}`)
  receiver.answer({})
  receiver.received.length = 0
})

interface DeliveryRecord {
  readonly id: string
  readonly messageId: string
  readonly event: string
  readonly status: string
  readonly createdAt: string
}

const time = expect.stringMatching(/^\d{4}-.*Z$/)

/** Makes a webhook of builds. @returns its path in the API. */
const make = async (fields: object = {}): Promise<string> => {
  const valid = { name: 'Channel', url: `${receiver.url}/hook`, events: ['deployment.build.created'] }
  const answer = await callAs('developer', `POST ${collection}`, { ...valid, ...fields })
  return new URL(String(answer.headers.location)).pathname
}
const build = async () => {
  const body = { type: 'build', platform: 'android', environment: 'production' }
  return callAs('developer', `POST ${projectUrl}/deployments`, body)
}
const healthOf = async (path: string): Promise<Record<string, unknown>> =>
  (await callAs('viewer', `GET ${path}/health`)).json()
const deliveriesOf = async (path: string): Promise<DeliveryRecord[]> =>
  (await callAs('viewer', `GET ${path}/deliveries`)).json()
const explain = async (path: string, { id }: DeliveryRecord): Promise<Record<string, unknown>> =>
  (await callAs('viewer', `GET ${path}/deliveries/${id}/explain`)).json()
/** Resolves with the deliveries, the newest first, when their statuses are these. */
const settled = (path: string, ...statuses: string[]): Promise<DeliveryRecord[]> =>
  vi.waitFor(
    async () => {
      const deliveries = await deliveriesOf(path)
      expect(deliveries.map(({ status }) => status)).toEqual(statuses)
      return deliveries
    },
    { timeout: 10_000, interval: 20 },
  )
/** A webhook whose receiver answered 410 to one delivery, so that the next one was held. */
const goneOne = async (): Promise<string> => {
  receiver.answer({ status: 410 })
  const path = await make()
  await build()
  await settled(path, 'failed')
  await eventually(async () => expect(await healthOf(path)).toMatchObject({ active: false }))
  await build()
  await settled(path, 'held', 'failed')
  receiver.answer({})
  return path
}
const keysInOrder = (text: string): string[] => Object.keys(JSON.parse(text) as object)

describe('the health of a webhook', () => {
  test('is that of its receiver, and the record of the webhook keeps its shape', async () => {
    const path = await make()
    await build()
    await settled(path, 'delivered')
    expect(await healthOf(path)).toEqual({
      health: 'healthy',
      active: true,
      disabledReason: null,
      disabledAt: null,
      failures: 0,
      failingSince: null,
      lastSuccessAt: time,
      lastFailureAt: null,
      nextProbeAt: null,
      pausedUntil: null,
      holdUntil: null,
      orderingSince: null,
      pending: 0,
      held: 0,
      waiting: 0,
      failed24h: 0,
      capped: [],
    })
    const record = (await callAs('viewer', `GET ${path}`)).body
    expect(keysInOrder(record)).toEqual(['_id', 'name', 'url', 'headers', 'active', 'events', 'createdAt', 'updatedAt'])
  })

  test('says until when the receiver has asked for quiet', async () => {
    receiver.answer({ status: 503, headers: { 'retry-after': '600' } })
    const path = await make()
    await build()
    await vi.waitFor(async () => expect(await healthOf(path)).toMatchObject({ holdUntil: time, failures: 1 }), {
      timeout: 10_000,
    })
    const [waiting] = await deliveriesOf(path)
    expect(waiting && (await explain(path, waiting))).toMatchObject({
      verdict: 'asked_for_quiet',
      next: { at: (await healthOf(path)).holdUntil, waitsFor: 'receiver' },
    })
  })

  test('says that the server switched it off, why, and that a person took it over', async () => {
    const path = await goneOne()
    expect(await healthOf(path)).toMatchObject({
      health: 'disabled',
      active: false,
      disabledReason: 'gone',
      disabledAt: time,
      held: 1,
      waiting: 0,
      failed24h: 1,
    })
    await callAs('developer', `PATCH ${path}`, { active: false })
    expect(await healthOf(path)).toMatchObject({ active: false, disabledReason: 'switched off' })
  })

  test('says that a person switched it off', async () => {
    const path = await make({ active: false })
    expect(await healthOf(path)).toMatchObject({ active: false, disabledReason: null, disabledAt: null })
  })
})

describe('an explanation', () => {
  test('says why a delivery did or did not arrive', async () => {
    const path = await goneOne()
    const [held, failed] = await deliveriesOf(path)
    expect(failed && (await explain(path, failed))).toEqual({
      delivery: failed?.id,
      messageId: receiver.received[0]?.headers['webhook-id'],
      event: 'deployment.build.created',
      occurredAt: time,
      verdict: 'gone',
      summary: expect.stringContaining('410'),
      next: null,
      advice: expect.any(String),
      matchedBy: 'deployment.build.created',
      unmetConditions: null,
    })
    expect(held && (await explain(path, held))).toMatchObject({
      verdict: 'held',
      next: { at: null, waitsFor: 'recovery' },
    })
  })

  test('is of the deliveries of this webhook', async () => {
    const [path, other] = [await make(), await make({ events: ['distribution.created'] })]
    await build()
    const [delivery] = await settled(path, 'delivered')
    for (const url of [`${other}/deliveries/${delivery?.id}/explain`, `${path}/deliveries/${'f'.repeat(24)}/explain`]) {
      const answer = await callAs('viewer', `GET ${url}`)
      expect([answer.statusCode, answer.json()]).toEqual([404, { apiError: ['Not found.'] }])
    }
  })
})

describe('a recovery', () => {
  const recover = (path: string, body?: object) => callAs('developer', `POST ${path}/recover`, body)

  test('is counted, refused while the webhook is off, and sends again what failed', async () => {
    const path = await goneOne()
    const counted = await recover(path, { dryRun: true })
    expect([counted.statusCode, counted.json()]).toEqual([200, { count: 2, isExact: true }])
    const refused = await recover(path)
    expect(refused.statusCode).toBe(400)
    expect(refused.json()).toEqual({ validationError: { active: [expect.stringContaining('not active')] } })
    await settled(path, 'held', 'failed')

    await callAs('developer', `PATCH ${path}`, { active: true })
    await settled(path, 'delivered', 'failed')
    const answer = await recover(path, {})
    expect([answer.statusCode, answer.json()]).toEqual([202, { count: 1, isExact: true }])
    await settled(path, 'delivered', 'delivered')
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(ids[2]).toBe(ids[0])
    expect((await recover(path)).json()).toEqual({ count: 0, isExact: true })
  })

  test('is of deliveries since a time, and of this webhook', async () => {
    const path = await goneOne()
    await callAs('developer', `PATCH ${path}`, { active: true })
    const [, failed] = await settled(path, 'delivered', 'failed')
    const made = Date.parse(failed?.createdAt ?? '')
    const countSince = async (ms: number, of = path): Promise<number> =>
      (await recover(of, { since: new Date(ms).toISOString(), dryRun: true })).json<{ count: number }>().count
    expect([await countSince(made), await countSince(made + 1)]).toEqual([1, 0])
    expect(await countSince(made, await make())).toBe(0)
    for (const since of ['yesterday', new Date(Date.now() + 60_000).toISOString(), 7]) {
      const answer = await recover(path, { since })
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { validationError: { since: [expect.stringMatching(/^Expected/)] } },
      ])
    }
    await settled(path, 'delivered', 'failed')
  })
})

describe('a webhook that was removed', () => {
  test('still shows what was delivered to it, to members alone', async () => {
    const path = await make()
    await build()
    const [delivery] = await settled(path, 'delivered')
    const read = [`GET ${path}/deliveries`, `GET ${path}/deliveries/${delivery?.id}`] as const
    const before = await Promise.all(read.map(async (one) => (await callAs('viewer', one)).json<unknown>()))
    await callAs('developer', `DELETE ${path}`)
    const after = await Promise.all(read.map(async (one) => (await callAs('viewer', one)).json<unknown>()))
    expect(after).toEqual(before)
    expect(delivery && (await explain(path, delivery)).verdict).toBe('delivered')
    expect((await callAs('developer', `POST ${path}/deliveries/${delivery?.id}/retry`)).statusCode).toBe(404)
    expect((await callAs('outsider', read[0])).statusCode).toBe(403)
    const elsewhere = path.replace(/projects\/\w+/, `projects/${'f'.repeat(24)}`)
    expect((await callAs('superuser', `GET ${elsewhere}/deliveries`)).statusCode).toBe(404)
  })
})

describe('the secret', () => {
  const rotate = async (path: string, body?: object) =>
    (await callAs('admin', `POST ${path}/secret`, body)).json<{ secret: string; previousValidUntil: string | null }>()
  const hoursLeft = (until: string | null): number => Math.ceil((Date.parse(until ?? '') - Date.now()) / 3_600_000)
  /** Signatures of the next delivery. */
  const signatures = async (): Promise<number> => {
    const before = receiver.received.length
    await build()
    const got = (await receiver.got(before + 1)).at(-1)
    return String(got?.headers['webhook-signature']).split(' ').length
  }

  test('that others know is cut off at once by a change without an overlap', async () => {
    const path = await make()
    expect(hoursLeft((await rotate(path, { overlapHours: 168 })).previousValidUntil)).toBe(168)
    expect(await signatures()).toBe(2)
    expect((await rotate(path, { overlapHours: 0 })).previousValidUntil).toBeNull()
    expect(await signatures()).toBe(1)
  })
})

test('what is delivered has its fields in the order in which they are answered', async () => {
  await make({ events: ['deployment.build.created', 'distribution.created'] })
  const deployment = await build()
  const [first] = await receiver.got(1)
  const body = { deployment: deployment.json<{ _id: string }>()._id, target: 'testers' }
  const distribution = await callAs('developer', `POST ${projectUrl}/distributions`, body)
  const [, second] = await receiver.got(2)
  const delivered = [first, second].map((got) => {
    const { data } = JSON.parse(String(got?.body)) as { data: object }
    return JSON.stringify(data)
  })
  expect(delivered).toEqual([deployment.body, distribution.body])
  expect(keysInOrder(deployment.body).slice(0, 5)).toEqual(['_id', 'organization', 'project', 'type', 'platform'])
})
