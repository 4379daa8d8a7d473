import { hourMs } from '#platform/clock.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { catalogue } from '#events/catalogue.ts'
import { makeVault } from '#platform/crypto/vault.ts'
import { toObjectId } from '#platform/object-ids.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeProjects } from '#testing/make-projects.ts'
import { makeTestApp, testSecretKey } from '#testing/make-test-app.ts'
import { makeReceiver } from '#testing/receiver.ts'
import { makeSubscriptions } from '../subscriptions/subscriptions.ts'
import { camelCase, renaming, snakeCase, type Naming } from './shape.ts'

// Nothing is delivered here but by hand: the engine does not run.
const clock = makeFakeClock()
const testApp = await makeTestApp({ clock })
const { call, database } = testApp
const { db } = database
const { projectUrl } = await makeProjects(testApp)
const receiver = await makeReceiver()
const subscriptions = makeSubscriptions({ vault: makeVault(testSecretKey), wake: () => undefined })

const mask = '********'
const whsec = /^whsec_[A-Za-z0-9+/]{43}=$/
const inHours = (hours: number): string => new Date(clock.now().getTime() + hours * hourMs).toISOString()

/** One kind of thing that owns a subscription, as its part of the API has it. */
interface Kind {
  readonly collection: string
  readonly required: object
  readonly names: Naming
  /** Path in an error answer at which the fields are named. */
  readonly errors: (answer: Record<string, object>) => object
  readonly subscriptionOf: (id: string) => ReturnType<typeof sql<{ id: number }>>
  /** Queues a delivery. */
  readonly deliver: (path: string) => Promise<unknown>
  readonly itemPath: (path: string, delivery: number) => string
  /** What `GET …/secret` shows, without and with a secret that was replaced. */
  readonly secretView: (secret: string, until: string | null) => object
  /** What the log calls the `webhook-id`. */
  readonly webhookId: string
  /** Statuses of the answers to a retry. */
  readonly retry: { readonly taken: number; readonly refused: number; readonly delivered: number }
  readonly recovery?: { readonly counted: object; readonly started: object }
}

let events = 0
const kinds: Readonly<Record<string, Kind>> = {
  hook: {
    collection: '/whisperer/hooks/',
    required: { event_type: 'package.created', secret_key: 'first' },
    names: renaming(snakeCase, { url: 'target_url', headers: 'additional_headers', secret: 'secret_key' }),
    errors: (answer) => answer,
    subscriptionOf: (id) => sql`select ${id}::bigint as id`,
    deliver: () => {
      events += 1
      const data = { ...catalogue['package.created'].example, id: events }
      return call('POST', '/api/v1/events/', { id: `event ${events}`, type: 'package.created', data })
    },
    itemPath: (_, delivery) => `/whisperer/hook_events/${delivery}`,
    secretView: (_, until) => ({
      algorithm: 'hmac-sha256',
      secret_key: mask,
      previous: until === null ? [] : [{ valid_until: until }],
    }),
    webhookId: 'uuid',
    retry: { taken: 200, refused: 406, delivered: 406 },
    recovery: { counted: { since: inHours(-1) }, started: { since: inHours(-1), start: true } },
  },
  webhook: {
    collection: `${projectUrl}/settings/webhooks`,
    required: { name: 'Channel', events: ['deployment.build.created'] },
    names: renaming(camelCase, { isActive: 'active' }),
    errors: ({ validationError = {} }) => validationError,
    subscriptionOf: (id) => sql`select subscription_id as id from project_webhooks where id = ${id}`,
    deliver: (path) => call('POST', `${path}/ping`),
    itemPath: (path, delivery) => `${path}/deliveries/${toObjectId(delivery)}`,
    secretView: (secret, until) => ({ secret, previousValidUntil: until }),
    webhookId: 'messageId',
    retry: { taken: 202, refused: 400, delivered: 202 },
    recovery: { counted: { dryRun: true }, started: {} },
  },
  flow: {
    collection: '/api/nifi/flows',
    required: { direction: 'outbound', secret: 'first' },
    names: renaming(snakeCase, { url: 'target' }),
    errors: ({ errors = {} }) => errors,
    subscriptionOf: (id) => sql`select subscription_id as id from flows where id = ${id}`,
    deliver: (path) => call('POST', `${path}/data`, { some: 'data' }),
    itemPath: (path, delivery) => `${path}/runs/${delivery}`,
    secretView: (_, until) => ({ secret: mask, previous_valid_until: until }),
    webhookId: 'uuid',
    retry: { taken: 202, refused: 409, delivered: 409 },
  },
}

let made = 0
describe.each(Object.keys(kinds))('a %s', (noun) => {
  const kind = kinds[noun] as Kind
  const { names, retry } = kind
  const named = (fields: object): Record<string, unknown> =>
    Object.fromEntries(Object.entries(fields).map(([field, value]) => [names(field), value]))
  const place = (): string => `${receiver.url}/${(made += 1)}`
  const make = async (fields: object = {}): Promise<string> => {
    const answer = await call('POST', kind.collection, { ...kind.required, ...named({ url: place(), ...fields }) })
    expect([answer.statusCode, answer.statusCode === 201 ? '' : answer.body]).toEqual([201, ''])
    return new URL(String(answer.headers.location)).pathname.replace(/\/$/, '')
  }
  const show = async (path: string): Promise<Record<string, unknown>> => (await call('GET', path)).json()
  const subscriptionOf = async (path: string): Promise<number> => {
    const { rows } = await kind.subscriptionOf(String(path.split('/').at(-1))).execute(db)
    return Number(rows[0]?.id)
  }
  const settingsOf = async (path: string) => subscriptions.find(db, await subscriptionOf(path))
  const refused = async (...request: Parameters<typeof call>): Promise<string[]> => {
    const answer = await call(...request)
    expect(answer.statusCode).toBe(400)
    return Object.keys(kind.errors(answer.json()))
  }
  const update = async (path: string, values: object) =>
    db
      .updateTable('subscriptions')
      .set(values)
      .where('id', '=', await subscriptionOf(path))
      .execute()

  describe('keeps its secrets', () => {
    const headers = { Authorization: 'Basic hush', 'X-Shop': 'north' }

    test('to itself, encrypted; masks that are sent back change nothing', async () => {
      const path = await make({ headers })
      const record = await show(path)
      expect(record[names('headers')]).toEqual({ Authorization: mask, 'X-Shop': 'north' })
      // The record of a webhook has no secret.
      expect([mask, undefined]).toContain(record[names('secret')])
      const before = await settingsOf(path)
      expect(before).toMatchObject({ headers, secret: expect.any(String) })
      expect((await call('PATCH', path, record)).statusCode).toBe(200)
      expect(await settingsOf(path)).toEqual({ ...before, version: expect.any(Number) })
      const rows = await sql`select row_to_json(s)::text as row from subscriptions s`.execute(db)
      expect(JSON.stringify(rows)).not.toContain('hush')
    })

    test('from another origin: credentials have to be sent again, other headers go along', async () => {
      const path = await make({ headers })
      const before = await settingsOf(path)
      const url = 'http://127.0.0.1:4110/elsewhere'
      expect(await refused('PATCH', path, named({ url }))).toEqual([names('headers')])
      const masked = named({ url, headers: { authorization: mask, 'X-Shop': 'south' } })
      expect(await refused('PATCH', path, masked)).toEqual([`${names('headers')}.authorization`])
      expect(await settingsOf(path)).toEqual(before)
      const again = { url, headers: { Authorization: 'Basic new' } }
      expect((await call('PATCH', path, named(again))).statusCode).toBe(200)
      expect(await settingsOf(path)).toMatchObject({ ...again, secret: before?.secret })
      const plain = await make({ headers: { 'X-Shop': 'north' } })
      expect((await call('PATCH', plain, named({ url: `${url}/2` }))).statusCode).toBe(200)
      expect(await settingsOf(plain)).toMatchObject({ headers: { 'X-Shop': 'north' } })
    })

    test('and takes no mask where there is nothing to keep', async () => {
      const body = { ...kind.required, ...named({ url: place(), headers: { 'X-Api-Key': mask } }) }
      expect(await refused('POST', kind.collection, body)).toEqual([`${names('headers')}.X-Api-Key`])
    })
  })

  describe('changes its secret', () => {
    const rotate = (path: string, body?: object, headers: Record<string, string> = {}) =>
      call('POST', `${path}/secret`, body && named(body), headers)
    const secretOf = async (path: string) => (await settingsOf(path))?.secret
    const view = async (path: string) => (await call('GET', `${path}/secret`)).json()

    test('for a new one, which is shown; the old one signs for a day', async () => {
      const path = await make()
      const first = await secretOf(path)
      expect(await view(path)).toEqual(kind.secretView(String(first), null))
      clock.advance(1_000)
      const answer = await rotate(path)
      expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store'])
      const second = answer.json()[names('secret')]
      expect(answer.json()).toMatchObject({
        [names('secret')]: expect.stringMatching(whsec),
        [names('previousValidUntil')]: inHours(24),
      })
      expect(second).not.toBe(first)
      expect(await secretOf(path)).toBe(second)
      expect(await view(path)).toEqual(kind.secretView(second, inHours(24)))
      expect(Object.values(await show(path))).toContain(clock.now().toISOString())
      clock.advance(24 * hourMs)
      expect(await view(path)).toEqual(kind.secretView(second, null))
    })

    test('with the overlap that is given, and ends it as often as one likes', async () => {
      const path = await make()
      const until = names('previousValidUntil')
      expect((await rotate(path, { overlapHours: 0.5 })).json()[until]).toBe(inHours(0.5))
      expect((await rotate(path, { overlapHours: 168 })).json()[until]).toBe(inHours(168))
      for (const _ of [1, 2]) {
        expect((await call('DELETE', `${path}/secret/previous`)).statusCode).toBe(204)
        expect(await view(path)).toEqual(kind.secretView(String(await secretOf(path)), null))
      }
      await rotate(path)
      expect((await rotate(path, { overlapHours: 0 })).json()[until]).toBeNull()
      expect(await view(path)).toEqual(kind.secretView(String(await secretOf(path)), null))
    })

    test('once when the request is repeated with its Idempotency-Key, and the answer is nowhere readable', async () => {
      const path = await make()
      const [one, other] = [
        await rotate(path, {}, { 'idempotency-key': path }),
        await rotate(path, {}, { 'idempotency-key': path }),
      ]
      expect(other.json()).toEqual(one.json())
      const rows = await sql`select row_to_json(k)::text as row from idempotency_keys k
        union all select row_to_json(s)::text from subscriptions s`.execute(db)
      expect(JSON.stringify(rows)).not.toContain('whsec_')
    })

    test.each([-1, 168.5, '24', null])('not with an overlap of %j', async (overlapHours) => {
      const path = await make()
      const before = await settingsOf(path)
      expect(await refused('POST', `${path}/secret`, named({ overlapHours }))).toEqual([names('overlapHours')])
      expect(await settingsOf(path)).toEqual(before)
    })

    test.runIf(noun !== 'webhook')(
      'for one that is given, unless it is none, the mask or the present one',
      async () => {
        const path = await make()
        for (const secret of ['', 'whsec_short', mask, null, 'first'])
          expect(await refused('POST', `${path}/secret`, named({ secret }))).toEqual([names('secret')])
        expect(await secretOf(path)).toBe('first')
        expect((await rotate(path, { secret: 'second' })).json()).toMatchObject(named({ secret: 'second' }))
        await call('PATCH', path, named({ secret: 'by hand' }))
        expect(await view(path)).toEqual(kind.secretView('by hand', null))
        const unsigned = await make({ secret: null })
        expect(await view(unsigned)).toMatchObject(named({ secret: null }))
        expect((await rotate(unsigned)).json()).toMatchObject(named({ previousValidUntil: null }))
      },
    )
  })

  describe('is sent again', () => {
    const deliver = async (path: string, values: object): Promise<string> => {
      await kind.deliver(path)
      const { id } = await db
        .selectFrom('deliveries')
        .select('id')
        .where('subscriptionId', '=', await subscriptionOf(path))
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
      await db.updateTable('deliveries').set(values).where('id', '=', id).execute()
      return kind.itemPath(path, id)
    }
    const leased = { leaseToken: 1, leasedAt: clock.now(), leasedUntil: new Date(Date.now() + 24 * 365 * hourMs) }

    test.each<[string, object, number, number]>([
      ['that is due, only when forced', { attempts: 1 }, retry.refused, retry.taken],
      ['that failed', { status: 'failed', attempts: 1 }, retry.taken, retry.taken],
      ['that is held', { status: 'held' }, retry.taken, retry.taken],
      ['that was delivered', { status: 'delivered', attempts: 1 }, retry.delivered, retry.taken],
      ['under way, never', { attempts: 1, ...leased }, retry.refused, retry.refused],
    ])('what it is sent %s', async (_, values, status, forced) => {
      const path = await make()
      const again = async (body?: object) =>
        (await call('POST', `${await deliver(path, values)}/retry`, body)).statusCode
      expect([await again(), await again({ force: false }), await again({ force: true })]).toEqual([
        status,
        status,
        forced,
      ])
    })

    test.runIf(noun !== 'hook')('never by the path of another owner', async () => {
      const path = await make()
      const item = await deliver(path, { status: 'failed', attempts: 1 })
      const elsewhere = item.replace(path, await make())
      expect((await call('GET', elsewhere)).statusCode).toBe(404)
      expect((await call('POST', `${elsewhere}/retry`)).statusCode).toBe(404)
      expect((await call('POST', `${item}/retry`)).statusCode).toBe(retry.taken)
    })

    test('what the receiver knows by its webhook-id', async () => {
      const path = await make()
      const item = await deliver(path, { status: 'failed', attempts: 1 })
      await deliver(path, { status: 'failed', attempts: 1 })
      const log = item.slice(0, item.lastIndexOf('/'))
      const { id, run_id: run = id, ...shown } = (await call('GET', item)).json<Record<string, unknown>>()
      const idsOf = async (value: unknown) =>
        (await call('GET', `${log}?${kind.webhookId}=${String(value)}`))
          .json<Record<string, unknown>[]>()
          .map((found) => found['run_id'] ?? found['id'])
      expect(await idsOf(shown[kind.webhookId])).toEqual([run])
      expect(await idsOf(String(shown[kind.webhookId]).replaceAll('-', '').toUpperCase())).toEqual([run])
      expect(await idsOf('019aa5f2-8d40-7001-9b1e-5c0f3a7d2e64')).toEqual([])
    })

    test.runIf(kind.recovery)('what failed, counted first, and not while it is switched off', async () => {
      const path = await make()
      await deliver(path, { status: 'failed', attempts: 1, finishedAt: clock.now() })
      await deliver(path, { status: 'delivered', attempts: 1, finishedAt: clock.now() })
      const recover = (body: object | undefined) => call('POST', `${path}/recover`, body)
      const counted = await recover(kind.recovery?.counted)
      expect([counted.statusCode, counted.json()]).toEqual([200, expect.objectContaining({ count: 1 })])
      await call('PATCH', path, named({ isActive: false }))
      expect((await recover(kind.recovery?.started)).statusCode).toBe(400)
      await call('PATCH', path, named({ isActive: true }))
      expect((await recover(kind.recovery?.started)).statusCode).toBe(202)
      for (const since of [inHours(1), 'yesterday'])
        expect(await refused('POST', `${path}/recover`, { ...kind.recovery?.counted, since })).toEqual(['since'])
    })

    test.runIf(noun !== 'hook')('what was held, when a person switches it on', async () => {
      const path = await make()
      const item = await deliver(path, { status: 'held' })
      await update(path, { isActive: false, disabledReason: 'failing', disabledAt: clock.now(), health: 'disabled' })
      const jobs = async () => (await db.selectFrom('redeliveries').select('id').execute()).length
      const before = await jobs()
      await call('PATCH', path, {})
      expect(await jobs()).toBe(before)
      await call('PATCH', path, named({ isActive: true }))
      expect(await jobs()).toBe(before + 1)
      expect((await call('GET', item)).statusCode).toBe(200)
    })
  })

  describe('has a health', () => {
    const healthOf = async (path: string) => (await call('GET', `${path}/health`)).json()
    const nothing = {
      disabledReason: null,
      failures: 0,
      failingSince: null,
      lastSuccessAt: null,
      lastFailureAt: null,
      disabledAt: null,
      nextProbeAt: null,
      pausedUntil: null,
      holdUntil: null,
      orderingSince: null,
      pending: 0,
      held: 0,
      waiting: 0,
      failed24h: 0,
      capped: [],
    }

    test('in which nothing is wrong at first', async () => {
      expect(await healthOf(await make())).toEqual({
        health: 'healthy',
        ...named({ isActive: true, ...nothing }),
      })
    })

    test('that says who asked for quiet, and why the server switched it off, until a person takes it over', async () => {
      const path = await make()
      const at = new Date(clock.now().getTime() + hourMs)
      const times = { holdUntil: at, pausedUntil: at, disabledAt: at, orderingSince: at }
      await update(path, { isActive: false, disabledReason: 'failing', health: 'disabled', probeAt: at, ...times })
      const shown = {
        isActive: false,
        disabledReason: 'failing',
        holdUntil: at,
        nextProbeAt: at,
        disabledAt: at,
        orderingSince: at,
      }
      expect(await healthOf(path)).toMatchObject(JSON.parse(JSON.stringify(named(shown))) as object)
      await call('PATCH', path, named({ isActive: true }))
      expect(await healthOf(path)).toMatchObject(named({ isActive: true, disabledReason: null }))
    })
  })

  test('that was removed, or was never there, has no secret, no health, and nothing to recover', async () => {
    const path = await make()
    expect((await call('DELETE', path)).statusCode).toBe(204)
    const unknown = path.replace(/\w+$/, noun === 'webhook' ? 'f'.repeat(24) : '4711')
    for (const gone of [path, unknown])
      for (const [method, rest] of [
        ['GET', 'health'],
        ['GET', 'secret'],
        ['POST', 'secret'],
        ['DELETE', 'secret/previous'],
        ...(kind.recovery ? [['POST', 'recover'] as const] : []),
      ] as const) {
        const body = rest === 'recover' ? kind.recovery?.started : undefined
        expect([rest, (await call(method, `${gone}/${rest}`, body)).statusCode]).toEqual([rest, 404])
      }
  })
})
