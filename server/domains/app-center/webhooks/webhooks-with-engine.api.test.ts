import { pino } from 'pino'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeSupervisor } from '#platform/supervisor.ts'
import { eventually } from '#testing/eventually.ts'
import { makeMailServer } from '#testing/network/mail-server.ts'
import { makeProjects } from '#testing/make-projects.ts'
import { makeReceiver, type Received } from '#testing/receiver.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const mail = await makeMailServer()
const testApp = await makeTestApp({
  environment: { SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: 'waybill@waybill.test' },
})
const { database } = testApp
const { organizationUrl, projectUrl, callAs, makeProject, people } = await makeProjects(testApp)
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

const valid = { name: 'Channel', events: ['deployment.build.created'] }

/** Makes a webhook that the receiver gets under a path of its own. @returns its path in the API. */
const make = async (fields: object = {}, url = collection): Promise<string> => {
  const answer = await callAs('developer', `POST ${url}`, { ...valid, url: `${receiver.url}/hook`, ...fields })
  expect(answer.statusCode).toBe(201)
  return new URL(String(answer.headers.location)).pathname
}
const build = (of = projectUrl, type = 'build') =>
  callAs('developer', `POST ${of}/deployments`, { type, platform: 'android', environment: 'production' })
const secretOf = async (path: string): Promise<string> => (await callAs('admin', `GET ${path}/secret`)).json().secret
interface DeliveryRecord {
  readonly id: string
  readonly messageId: string
  readonly event: string
  readonly status: string
  readonly attempts: number
  readonly nextAttemptAt: string | null
  readonly responseStatus: number | null
  readonly reason: string | null
}
const deliveriesOf = async (path: string, query = ''): Promise<DeliveryRecord[]> =>
  (await callAs('viewer', `GET ${path}/deliveries${query}`)).json()
const verified = (secret: string, { body, headers }: Received): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>)
/** Resolves with the first message about a webhook of this name. */
const mailAbout = (name: string) =>
  vi.waitFor(
    () => {
      const message = mail.received.find(({ subject = '' }) => subject.startsWith(`Webhook “${name}”`))
      if (message === undefined) throw new Error(`There is no message about ${name}.`)
      return message
    },
    { timeout: 10_000 },
  )
/** Resolves when the newest delivery of a webhook is as described. */
const newest = (path: string, like: Partial<DeliveryRecord>): Promise<DeliveryRecord> =>
  vi.waitFor(
    async () => {
      const [delivery] = await deliveriesOf(path)
      if (delivery === undefined) throw new Error('There is no delivery yet.')
      expect(delivery).toMatchObject(like)
      return delivery
    },
    { timeout: 10_000, interval: 20 },
  )

describe('a delivery', () => {
  test('carries the custom headers and a signature that verifies; ours are not replaced', async () => {
    const path = await make({
      headers: { 'X-Team': 'mobile', Authorization: 'Bearer abc', 'Content-Type': 'text/plain', 'User-Agent': 'mine' },
    })
    const deployment = (await build()).json<{ _id: string }>()
    const [got] = await receiver.got(1)
    expect(got?.headers).toMatchObject({
      'x-team': 'mobile',
      authorization: 'Bearer abc',
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Waybill\//),
    })
    expect(Object.keys(got?.headers ?? {}).filter((name) => name.startsWith('x-whisperer-'))).toEqual([])
    expect(await secretOf(path)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(got && verified(await secretOf(path), got)).toEqual({
      type: 'deployment.build.created',
      timestamp: expect.stringMatching(/Z$/),
      data: deployment,
    })
  })

  test('is of a subscribed event of this project, and goes to active webhooks alone', async () => {
    const other = `${organizationUrl}/projects/${await makeProject()}`
    const mine = await make()
    const pushes = await make({ url: `${receiver.url}/pushes`, events: ['deployment.codePush.created'] })
    const inactive = await make({ url: `${receiver.url}/inactive`, active: false })
    const others = await make({ url: `${receiver.url}/others` }, `${other}/settings/webhooks`)
    await build()
    await build(projectUrl, 'codePush')
    await build(other)
    await receiver.got(3)
    expect(receiver.received.map(({ path }) => path).toSorted()).toEqual(['/hook', '/others', '/pushes'])
    const counts = await Promise.all(
      [mine, pushes, inactive, others].map(async (path) => (await deliveriesOf(path)).length),
    )
    expect(counts).toEqual([1, 1, 0, 1])
  })

  test('goes to what the webhook was changed to', async () => {
    const path = await make({ headers: { 'X-Team': 'a' } })
    const change = { url: `${receiver.url}/new`, headers: { 'X-Team': 'b' }, events: ['deployment.codePush.created'] }
    expect((await callAs('developer', `PATCH ${path}`, change)).statusCode).toBe(200)
    await build()
    await build(projectUrl, 'codePush')
    const [got] = await receiver.got(1)
    expect([got?.path, got?.headers['x-team']]).toEqual(['/new', 'b'])
    expect(await deliveriesOf(path)).toMatchObject([{ event: 'deployment.codePush.created' }])
  })
})

describe('the secret', () => {
  test('is another one after a rotation, and for a day the old one signs as well', async () => {
    const path = await make()
    const before = await callAs('admin', `GET ${path}/secret`)
    expect(before.headers['cache-control']).toBe('no-store')
    expect(before.json()).toEqual({ secret: expect.any(String), previousValidUntil: null })

    const rotated = await callAs('admin', `POST ${path}/secret`)
    expect(rotated.statusCode).toBe(200)
    expect(rotated.headers['cache-control']).toBe('no-store')
    const { secret, previousValidUntil } = rotated.json<{ secret: string; previousValidUntil: string }>()
    expect(secret).not.toBe(before.json().secret)
    const hours = (Date.parse(previousValidUntil) - Date.now()) / 3_600_000
    expect([hours > 23.9, hours <= 24]).toEqual([true, true])
    expect((await callAs('admin', `GET ${path}/secret`)).json()).toEqual({ secret, previousValidUntil })

    await build()
    const [got] = await receiver.got(1)
    expect(got && [verified(secret, got), verified(before.json().secret, got)]).toHaveLength(2)
    expect(() => got && verified(`whsec_${Buffer.alloc(32).toString('base64')}`, got)).toThrow(/signature/i)
  })

  test('stays when the rest is changed, and is nobody else’s', async () => {
    const [path, other] = [await make(), await make()]
    const secret = await secretOf(path)
    await callAs('developer', `PATCH ${path}`, { url: `${receiver.url}/new`, active: false })
    expect(await secretOf(path)).toBe(secret)
    expect(await secretOf(other)).not.toBe(secret)
    const named = await callAs('admin', `POST ${path}/secret`, { secret: 'mine' })
    expect(named.json()).toEqual({ validationError: { secret: ['Unknown field.'] } })
  })
})

describe('a ping', () => {
  test('reaches this webhook alone, signed', async () => {
    // The order of the documentation, which is not that of the alphabet.
    const events = ['deployment.build.created', 'deployment.build.succeeded', 'deployment.build.failed']
    const path = await make({ name: 'Tried out', events: events.toReversed() })
    await make({ url: `${receiver.url}/other` })
    const answer = await callAs('developer', `POST ${path}/ping`)
    expect(answer.statusCode).toBe(202)
    const { delivery } = answer.json<{ delivery: string }>()
    expect(delivery).toMatch(/^[0-9a-f]{24}$/)
    expect(new URL(String(answer.headers.location)).pathname).toBe(`${path}/deliveries/${delivery}`)

    const [got] = await receiver.got(1)
    const [, organization, project, id] =
      /organizations\/(\w+)\/projects\/(\w+)\/settings\/webhooks\/(\w+)/.exec(path) ?? []
    expect(got && verified(await secretOf(path), got)).toMatchObject({
      type: 'webhook.ping',
      data: { _id: id, organization, project, name: 'Tried out', events },
    })
    await newest(path, { id: delivery, event: 'webhook.ping', status: 'delivered', attempts: 1, responseStatus: 200 })
    expect(receiver.received.map((one) => one.path)).toEqual(['/hook'])
  })

  test('is refused for a webhook that is not active', async () => {
    const path = await make({ active: false })
    const answer = await callAs('developer', `POST ${path}/ping`, {})
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ validationError: { active: [expect.stringContaining('not active')] } })
    expect(await deliveriesOf(path)).toEqual([])
  })
})

describe('the deliveries of a webhook', () => {
  test('are listed, the newest first, by event and status', async () => {
    const path = await make({ events: ['deployment.build.created', 'deployment.codePush.created'] })
    await build()
    await newest(path, { status: 'delivered' })
    receiver.answer({ status: 500 })
    await build(projectUrl, 'codePush')
    const failing = await newest(path, { event: 'deployment.codePush.created', attempts: 1, responseStatus: 500 })
    expect(failing).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      messageId: receiver.received.at(-1)?.headers['webhook-id'],
      event: 'deployment.codePush.created',
      status: 'pending',
      attempts: 1,
      nextAttemptAt: expect.stringMatching(/Z$/),
      responseStatus: 500,
      reason: expect.any(String),
      createdAt: expect.stringMatching(/Z$/),
      finishedAt: null,
    })
    const all = await deliveriesOf(path)
    expect(all.map(({ event }) => event)).toEqual(['deployment.codePush.created', 'deployment.build.created'])
    expect(all[1]).toMatchObject({ status: 'delivered', nextAttemptAt: null, finishedAt: expect.any(String) })

    expect(await deliveriesOf(path, '?status=delivered')).toEqual([all[1]])
    expect(await deliveriesOf(path, '?event=deployment.codePush.created')).toEqual([all[0]])
    const messageId = String(all[1]?.messageId)
    for (const written of [messageId, messageId.toUpperCase(), messageId.replaceAll('-', '')])
      expect(await deliveriesOf(path, `?messageId=${written}`)).toEqual([all[1]])
    expect(await deliveriesOf(path, `?messageId=${messageId.replace(/^./, 'f')}`)).toEqual([])
    expect(await deliveriesOf(await make(), `?messageId=${messageId}`)).toEqual([])
    const second = await callAs('viewer', `GET ${path}/deliveries?limit=1&page=2`)
    expect([second.json(), second.headers['x-total-count']]).toEqual([[all[1]], '2'])
    for (const bad of ['status=done', 'event=package.created', 'limit=1001', 'messageId=12']) {
      const answer = await callAs('viewer', `GET ${path}/deliveries?${bad}`)
      expect([bad, answer.statusCode]).toEqual([bad, 400])
    }
  })

  test('show every attempt, without what lets the sender in', async () => {
    receiver.answer({ status: 503, body: 'Later' })
    const path = await make({ headers: { 'X-Team': 'mobile' } })
    await build()
    const { id } = await newest(path, { attempts: 1, responseStatus: 503 })
    const answer = await callAs('viewer', `GET ${path}/deliveries/${id}`)
    expect(answer.json()).toMatchObject({
      id,
      payload: { type: 'deployment.build.created', data: { status: 'created' } },
      attemptLog: [
        {
          number: 1,
          outcome: 'retry',
          responseStatus: 503,
          responseBody: 'Later',
          address: '127.0.0.1',
          requestHeaders: {
            'webhook-id': receiver.received[0]?.headers['webhook-id'],
            'x-team': '********',
            'webhook-signature': '********',
          },
        },
      ],
    })
  })

  test('are those of this webhook', async () => {
    const [path, other] = [await make(), await make()]
    await build()
    const { id } = await newest(path, { status: 'delivered' })
    for (const [method, url, status] of [
      ['GET', `${path}/deliveries/${id}`, 200],
      ['GET', `${other}/deliveries/${id}`, 404],
      ['POST', `${other}/deliveries/${id}/retry`, 404],
      ['GET', `${path}/deliveries/${'f'.repeat(24)}`, 404],
      ['POST', `${path}/deliveries/${'0'.repeat(24)}/retry`, 404],
      ['GET', `${path}/deliveries/12`, 400],
      ['POST', `${path}/deliveries/12/retry`, 400],
    ] as const) {
      const answer = await callAs('developer', `${method} ${url}`)
      expect([method, url, answer.statusCode]).toEqual([method, url, status])
      expect(status !== 400 || answer.json().validationError.deliveryId !== undefined).toBe(true)
    }
  })
})

describe('a retry', () => {
  test('of a received delivery sends it once more, under the same id and with the same bytes', async () => {
    const path = await make()
    await build()
    const { id } = await newest(path, { status: 'delivered' })
    const answer = await callAs('developer', `POST ${path}/deliveries/${id}/retry`)
    expect([answer.statusCode, answer.json()]).toEqual([202, { delivery: id }])
    const [first, second] = await receiver.got(2)
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true)
    await newest(path, { id, status: 'delivered', attempts: 2 })
  })
})

describe('switching off and on', () => {
  test('what is due waits while the webhook is off; what happens meanwhile does not come', async () => {
    receiver.answer({ status: 500 })
    const path = await make()
    await build()
    const { id } = await newest(path, { status: 'pending', attempts: 1, responseStatus: 500 })
    await callAs('developer', `PATCH ${path}`, { active: false })
    receiver.answer({})
    for (const body of [{}, { force: true }]) {
      const refused = await callAs('developer', `POST ${path}/deliveries/${id}/retry`, body)
      expect([refused.statusCode, refused.json()]).toEqual([
        400,
        { validationError: { active: [expect.stringContaining('{"active": true} first')] } },
      ])
    }
    const now = { nextAttemptAt: new Date() }
    await database.db.updateTable('deliveries').set(now).where('id', '=', Number.parseInt(id, 16)).execute()
    await build()
    // Another webhook gets what happens after it: the queue was looked at.
    const other = await make({ url: `${receiver.url}/other` })
    await build()
    await newest(other, { status: 'delivered' })
    expect(await deliveriesOf(path)).toMatchObject([{ id, status: 'pending', attempts: 1 }])

    await callAs('developer', `PATCH ${path}`, { active: true })
    await newest(path, { id, status: 'delivered', attempts: 2 })
    expect(await deliveriesOf(path)).toHaveLength(1)
  })

  test('what is due is cancelled with the webhook', async () => {
    receiver.answer({ status: 500 })
    const path = await make()
    await build()
    const { id } = await newest(path, { attempts: 1, responseStatus: 500 })
    await callAs('developer', `DELETE ${path}`)
    const { status } = await database.db
      .selectFrom('deliveries')
      .select('status')
      .where('id', '=', Number.parseInt(id, 16))
      .executeTakeFirstOrThrow()
    expect(status).toBe('cancelled')
  })

  test('one that answered 410 is off, its maker is told, and comes back with everything since when it is switched on', async () => {
    receiver.answer({ status: 410 })
    const path = await make({ name: 'Gone\nfor good' })
    await build()
    await eventually(async () =>
      expect((await callAs('viewer', `GET ${path}`)).json()).toMatchObject({ active: false }),
    )
    const ping = await callAs('developer', `POST ${path}/ping`)
    expect(ping.json()).toHaveProperty('validationError.active')

    const message = await mailAbout('Gone for good')
    expect(message.recipients).toEqual([people.developer.email])
    expect(message.subject).toMatch(/^Webhook “Gone for good” of project “.+” was switched off \(http:/)
    expect(message.text).toContain(path.replace('/api/v1', ''))
    expect(message.text).toContain('Webhook “Gone for good” of')
    const raised = await database.db.selectFrom('events').select('type').where('type', 'like', 'webhook.%').execute()
    expect(raised.map(({ type }) => type).filter((type) => type !== 'webhook.ping')).toEqual([])

    receiver.answer({})
    await build()
    await newest(path, { status: 'held', attempts: 0 })
    await callAs('developer', `PATCH ${path}`, { name: 'Back' })
    expect((await callAs('viewer', `GET ${path}`)).json()).toMatchObject({ active: false })
    await callAs('developer', `PATCH ${path}`, { active: true })
    await newest(path, { status: 'delivered' })
    expect((await callAs('viewer', `GET ${path}`)).json()).toMatchObject({ active: true })
  })

  test('an owner is told of one whose maker is no member', async () => {
    receiver.answer({ status: 410 })
    const answer = await callAs('superuser', `POST ${collection}`, { ...valid, url: receiver.url, name: 'Orphan' })
    expect(answer.statusCode).toBe(201)
    await build()
    const message = await mailAbout('Orphan')
    expect(message.recipients).toEqual([people.owner.email])
  })

  test('one that was switched off by hand after it had failed keeps nothing more, but what was kept comes later', async () => {
    receiver.answer({ status: 410 })
    const path = await make()
    await build()
    await eventually(async () =>
      expect((await callAs('viewer', `GET ${path}`)).json()).toMatchObject({ active: false }),
    )
    await build()
    const held = await newest(path, { status: 'held' })
    await callAs('developer', `PATCH ${path}`, { active: false })
    await build()
    expect((await deliveriesOf(path))[0]?.id).toBe(held.id)
    receiver.answer({})
    await callAs('developer', `PATCH ${path}`, { active: true })
    await newest(path, { id: held.id, status: 'delivered' })
  })
})
