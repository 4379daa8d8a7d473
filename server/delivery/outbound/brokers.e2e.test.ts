import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { brokerKinds } from '#testing/brokers/broker-kinds.ts'
import { isInstalled, type DebianServer } from '#testing/brokers/debian-server.ts'
import { account } from '#testing/brokers/nats-server.ts'
import { startFlakyNetwork } from '#testing/chaos/flaky-network.ts'
import { eventually } from '#testing/eventually.ts'
import { key, localhost } from '#testing/network/certificates.ts'
import { closedPort, makeRawServer, saying } from '#testing/network/odd-servers.ts'
import { prepareReceiver, requestHeaders } from '../attempt/request-headers.ts'
import { plainSettings } from '../subscriber/subscription.ts'
import { targetProblem } from '../surface/target-url.ts'
import { makeGuard } from './guard/guard.ts'
import { makeSender, type SenderOptions, type SendResult } from './sender.ts'

const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const eventType = 'package.created'
const basic = (user: string, password = account.password): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

const senders: { close(): Promise<void> }[] = []
afterAll(async () => {
  for (const sender of senders) await sender.close()
})
const senderOf = (options: Partial<SenderOptions> = {}) => {
  const guard = makeGuard({ allowedNetworks: [], allowLoopback: true })
  const sender = makeSender({ guard, exchangeTimeoutMs: 5_000, connectTimeoutMs: 3_000, ...options })
  senders.push(sender)
  return sender
}
const shared = senderOf()

/** Sends what a worker would send. */
const send = (
  url: string,
  id: string,
  {
    sender = shared,
    authorization = basic(account.user),
    body = JSON.stringify({ id, name: 'Öykü' }),
    mayStart = (): boolean => true,
  } = {},
): Promise<SendResult> => {
  const settings = { ...plainSettings, scope: 'back-office', dialect: 'whisperer', envelope: 'original' } as const
  const subscription = { ...settings, id: 1, version: 1, url, secret, eventTypes: [], headers: { 'X-Shop': 'north' } }
  const receiver = prepareReceiver(subscription)
  const outgoing = { webhookId: id, eventType, sequence: 7, contentType: 'application/json', body }
  const headers = { authorization, ...requestHeaders(receiver, outgoing, new Date(), 'Waybill/test') }
  return sender.send({ url, headers, body, eventType, mayStart })
}

const scratch = mkdtempSync(join(tmpdir(), 'waybill-certificates-'))
afterAll(() => rmSync(scratch, { recursive: true }))
const files = { cert: join(scratch, 'cert.pem'), key: join(scratch, 'key.pem') }
writeFileSync(files.cert, localhost)
writeFileSync(files.key, key, { mode: 0o644 })

describe.each(brokerKinds)('$name', (kind) => {
  describe.skipIf(!isInstalled(kind.command))('as it comes from Debian', () => {
    let [server, secure]: DebianServer[] = []
    const portOf = (of: DebianServer | undefined): number => of?.port ?? 0
    const urlOf = (place = kind.place, port = portOf(server)): string => `${kind.scheme}://127.0.0.1:${port}${place}`
    beforeAll(async () => {
      ;[server, secure] = await Promise.all([kind.start(), kind.start(files)])
      await kind.prepare(portOf(server))
    }, 120_000)
    afterAll(() => Promise.all([server?.stop(), secure?.stop()]), 60_000)

    test('takes a message with the bytes and the headers of a POST, signed', async () => {
      const result = await send(urlOf(), 'msg_1')
      expect(result).toMatchObject({ reason: 'accepted', status: null, address: '127.0.0.1' })
      const [found] = await kind.read(portOf(server))
      expect(found?.body).toBe('{"id":"msg_1","name":"Öykü"}')
      const { headers = {} } = found ?? {}
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'Waybill/test',
        'webhook-id': 'msg_1',
        'x-waybill-sequence': '7',
        'x-whisperer-event': eventType,
        'x-whisperer-signature': expect.stringMatching(/^sha256=/) as string,
        'x-shop': 'north',
      })
      expect(headers).not.toHaveProperty('authorization')
      expect(headers).not.toHaveProperty('accept-encoding')
      expect(new Webhook(secret).verify(found?.body ?? '', headers)).toEqual({ id: 'msg_1', name: 'Öykü' })
    })

    test('can be addressed by the type of the event', async () => {
      expect(await send(urlOf(kind.placeByType), 'msg_type')).toMatchObject({ reason: 'accepted' })
      expect(await kind.read(portOf(server), true)).toMatchObject([{ headers: { 'webhook-id': 'msg_type' } }])
    })

    test('keeps the order in which messages are sent, on one connection', async () => {
      const ids = Array.from({ length: 200 }, (_, index) => `msg_order_${index}`)
      const results = await Promise.all(ids.map((id) => send(urlOf(), id)))
      expect(new Set(results.map(({ reason }) => reason))).toEqual(new Set(['accepted']))
      const there = (await kind.read(portOf(server))).map(({ headers }) => headers['webhook-id'])
      expect(there.filter((id) => id?.startsWith('msg_order_'))).toEqual(ids)
    })

    test.skipIf(kind.missing === null)('refuses what has no place, and says so', async () => {
      const { place = '', says = /./ } = kind.missing ?? {}
      const results = await Promise.all([send(urlOf(place), 'msg_lost'), send(urlOf(), 'msg_beside')])
      expect(results).toMatchObject([{ reason: 'broker_refused' }, { reason: 'accepted' }])
      expect(results[0].detail).toMatch(says)
    })

    test('refuses an account that may not, and a password that is wrong', async () => {
      const narrow = await send(urlOf(kind.forbidden), 'msg_narrow', { authorization: basic('narrow') })
      expect(narrow).toMatchObject({ reason: 'broker_refused', detail: expect.stringMatching(/\S/) as string })
      const wrong = await send(urlOf(), 'msg_wrong', { authorization: basic(account.user, 'top-secret-1') })
      expect(wrong).toMatchObject({ reason: 'sign_in_failed', detail: expect.stringMatching(/password/) as string })
      expect(JSON.stringify([narrow, wrong])).not.toMatch(/top-secret-1|pass word/)
    })

    test('that is not there, or is something else, is a failure with its reason', async () => {
      expect(await send(urlOf(kind.place, await closedPort()), 'msg_closed')).toMatchObject({
        reason: 'connection_error',
        detail: expect.stringContaining('refused') as string,
      })
      const silent = await makeRawServer(() => undefined)
      const answering = await makeRawServer(saying('HTTP/1.1 400 Bad Request\r\n\r\n'))
      const quick = senderOf({ exchangeTimeoutMs: 400 })
      expect(await send(urlOf(kind.place, silent), 'msg_silent', { sender: quick })).toMatchObject({
        reason: 'timeout',
        detail: expect.stringContaining(kind.name) as string,
      })
      const other = await send(urlOf(kind.place, answering), 'msg_other', { sender: quick })
      expect(['protocol_error', 'timeout', 'connection_error']).toContain(other.reason)
    })

    test('that hangs is given up, and found again when it does not', async () => {
      const road = await startFlakyNetwork(portOf(server))
      const sender = senderOf({ exchangeTimeoutMs: 1_000 })
      const url = urlOf(kind.place, road.port)
      expect(await send(url, 'msg_before', { sender })).toMatchObject({ reason: 'accepted' })
      road.stall()
      const hanging = await Promise.all([send(url, 'msg_hang_1', { sender }), send(url, 'msg_hang_2', { sender })])
      expect(new Set(hanging.map(({ reason }) => reason))).toEqual(new Set(['timeout', 'connection_error']))
      road.heal()
      expect(await eventually(() => acceptedOf(send(url, 'msg_after', { sender })))).toMatchObject({
        reason: 'accepted',
      })
      road.cut()
      expect(await eventually(() => acceptedOf(send(url, 'msg_cut', { sender })))).toMatchObject({ reason: 'accepted' })
      await sender.close()
      await road.close()
    })

    test('may not be at a special-use address, whatever its name says', async () => {
      const production = makeGuard({ allowedNetworks: [], allowLoopback: false })
      const named = senderOf({
        guard: production,
        resolve: (_, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
      })
      for (const host of [
        '127.0.0.1',
        '0x7f000001',
        '2130706433',
        '[::1]',
        '[::ffff:127.0.0.1]',
        'localhost',
        'broker.example',
      ])
        expect(
          await send(`${kind.scheme}://${host}:${portOf(server)}${kind.place}`, 'msg_guard', { sender: named }),
        ).toMatchObject({
          reason: 'address_refused',
        })
      expect(production.urlProblem(`${kind.scheme}://example.com:22/x`)).toMatch(/Port 22/)
    })

    test('speaks TLS with a certificate that is trusted, and not with another', async () => {
      const url = `${kind.scheme}s://localhost:${portOf(secure)}${kind.place}`
      const trusting = await send(url, 'msg_tls', { sender: senderOf({ ca: localhost }) })
      // Nothing was prepared there; only that it was asked counts.
      expect(['accepted', 'broker_refused']).toContain(trusting.reason)
      expect(await send(url, 'msg_tls')).toMatchObject({ reason: 'tls_error' })
      expect(await send(url.replace(portText(secure), portText(server)), 'msg_tls')).not.toMatchObject({
        reason: 'accepted',
      })
    })

    test('gets nothing once the sender stops, or when it is too late', async () => {
      const sender = senderOf()
      expect(await send(urlOf(), 'msg_late', { sender, mayStart: () => false })).toMatchObject({
        reason: 'not_started',
      })
      const road = await startFlakyNetwork(portOf(server))
      road.stall()
      const pending = send(urlOf(kind.place, road.port), 'msg_abort', { sender })
      sender.abort()
      expect(await pending).toMatchObject({ reason: 'aborted' })
      expect(await send(urlOf(), 'msg_late', { sender })).toMatchObject({ reason: 'not_started' })
      await sender.close()
      await road.close()
    })

    test.each(kind.wrongPlaces)('cannot be subscribed with %s', (place, says) => {
      expect(targetProblem(`${kind.scheme}://broker.example${place}`, () => undefined)).toMatch(says)
    })

    test('takes its account from the credential of the subscription, not from the URL', () => {
      expect(targetProblem(`${kind.scheme}://user:pass@broker.example${kind.place}`, () => undefined)).toMatch(
        /config\.auth/,
      )
      expect(targetProblem(`${kind.scheme}://broker.example${kind.place}`, () => undefined)).toBeUndefined()
    })

    test('that dies under load and comes again has everything that it accepted', async () => {
      const accepted: string[] = []
      const over = new AbortController()
      let number = 0
      const load = Array.from({ length: 8 }, async () => {
        while (!over.signal.aborted) {
          const id = `msg_load_${number++}`
          if ((await send(urlOf(), id)).reason === 'accepted') accepted.push(id)
          else await new Promise((resolve) => setTimeout(resolve, 20))
        }
      })
      await eventually(() => expect(accepted.length).toBeGreaterThan(200))
      await server?.halt('SIGKILL')
      const before = accepted.length
      await server?.start()
      await eventually(() => expect(accepted.length).toBeGreaterThan(before + 200))
      over.abort()
      await Promise.all(load)
      const there = new Set((await kind.read(portOf(server))).map(({ headers }) => headers['webhook-id']))
      expect(accepted.filter((id) => !there.has(id))).toEqual([])
    }, 120_000)
  })
})

const portText = (server: DebianServer | undefined): string => `:${server?.port ?? 0}`

const acceptedOf = async (sending: Promise<SendResult>): Promise<SendResult> => {
  const result = await sending
  if (result.reason !== 'accepted') throw new Error(`${result.reason}: ${result.detail}`)
  return result
}
