import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { headers as natsHeaders } from '@nats-io/transport-node'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogue } from '#events/catalogue.ts'
import { amqpTo, natsTo } from '#testing/brokers/broker-kinds.ts'
import { isInstalled, type DebianServer } from '#testing/brokers/debian-server.ts'
import { account, natsCommand, startNats } from '#testing/brokers/nats-server.ts'
import { rabbitmqCommand, startRabbitmq, virtualHost } from '#testing/brokers/rabbitmq-server.ts'
import { prepareServer, serverEnvironment } from '#testing/chaos/prepare-server.ts'
import { eventually } from '#testing/eventually.ts'
import { isEverythingWanted } from '#testing/is-everything-wanted.ts'
import { installDatabase } from '#testing/processes/install-database.ts'
import { startServer } from '#testing/processes/server-process.ts'
import { makeReceiver } from '#testing/receiver.ts'
import { makeEventSources, type RaiseMessages } from './event-source.ts'
import { readSourceUrl, type SourceUrl } from './source-url.ts'

interface Letter {
  readonly body: string
  readonly reason: string
}

/** What these tests need to know of a broker that events are taken from. */
interface Kind {
  readonly name: string
  readonly command: string
  start(): Promise<DebianServer>
  sourceOf(port: number): string
  prepare(port: number): Promise<void>
  /** Messages with their ids, confirmed by the broker. */
  publish(port: number, messages: readonly (readonly [id: string, body: string])[]): Promise<void>
  deadLetters(port: number): Promise<Letter[]>
  /** How many the broker still keeps for the source. */
  countLeft(port: number): Promise<number>
}

const login = `${account.user}:${encodeURIComponent(account.password)}`

const nats: Kind = {
  name: 'NATS JetStream',
  command: natsCommand,
  start: startNats,
  sourceOf: (port) => `nats://${login}@127.0.0.1:${port}/IN?consumer=waybill&dead_letter=dead.in`,
  async prepare(port) {
    const connection = await natsTo(port)
    const { streams } = await jetstreamManager(connection)
    await streams.add({ name: 'IN', subjects: ['in.>'] })
    await streams.add({ name: 'DEAD', subjects: ['dead.>'] })
    await connection.close()
  },
  async publish(port, messages) {
    const connection = await natsTo(port)
    const client = jetstream(connection)
    await Promise.all(
      messages.map(([id, body], index) => {
        const headers = natsHeaders()
        headers.set('Nats-Msg-Id', id)
        return client.publish(`in.${index}`, body, { headers })
      }),
    )
    await connection.close()
  },
  async deadLetters(port) {
    const connection = await natsTo(port)
    const { state } = await (await jetstreamManager(connection)).streams.info('DEAD')
    const letters: Letter[] = []
    const consumer = await jetstream(connection).consumers.get('DEAD')
    if (state.messages > 0)
      for await (const message of await consumer.fetch({ max_messages: state.messages }))
        letters.push({ body: message.string(), reason: message.headers?.get('x-waybill-reason') ?? '' })
    await connection.close()
    return letters
  },
  async countLeft(port) {
    const connection = await natsTo(port)
    const { num_pending: pending, num_ack_pending: unacknowledged } = await (
      await jetstreamManager(connection)
    ).consumers.info('IN', 'waybill')
    await connection.close()
    return pending + unacknowledged
  },
}

const rabbitmq: Kind = {
  name: 'RabbitMQ',
  command: rabbitmqCommand,
  start: startRabbitmq,
  sourceOf: (port) => `amqp://${login}@127.0.0.1:${port}/${encodeURIComponent(virtualHost)}?queue=in&dead_letter=dead`,
  async prepare(port) {
    const connection = await amqpTo(port)
    const channel = await connection.createChannel()
    await channel.assertExchange('dead', 'direct')
    await channel.assertQueue('in')
    await channel.assertQueue('dead')
    await channel.bindQueue('dead', 'dead', 'in')
    await connection.close()
  },
  async publish(port, messages) {
    const connection = await amqpTo(port)
    const channel = await connection.createConfirmChannel()
    for (const [messageId, body] of messages)
      channel.sendToQueue('in', Buffer.from(body), { messageId, persistent: true })
    await channel.waitForConfirms()
    await connection.close()
  },
  async deadLetters(port) {
    const connection = await amqpTo(port)
    const channel = await connection.createChannel()
    const letters: Letter[] = []
    for (;;) {
      const message = await channel.get('dead')
      if (message === false) break
      const reason = String((message.properties.headers as Record<string, unknown>)['x-waybill-reason'])
      letters.push({ body: message.content.toString(), reason })
    }
    await connection.close()
    return letters
  },
  async countLeft(port) {
    const connection = await amqpTo(port)
    // What is not acknowledged is not counted, so the consumer has to be gone.
    const { messageCount } = await (await connection.createChannel()).checkQueue('in')
    await connection.close()
    return messageCount
  },
}

const { example } = catalogue['package.created']
const eventOf = (number: number): string =>
  JSON.stringify({ id: `event ${number}`, type: 'package.created', data: { ...example, id: number } })
const kills = isEverythingWanted ? 10 : 1

describe.each([nats, rabbitmq])('events from $name', (kind) => {
  describe.skipIf(!isInstalled(kind.command))('as it comes from Debian', () => {
    let broker: DebianServer | undefined
    const portOf = (): number => broker?.port ?? 0
    const directory = mkdtempSync(join(tmpdir(), 'waybill-sources-'))
    beforeAll(async () => {
      broker = await kind.start()
      await kind.prepare(broker.port)
    }, 120_000)
    afterAll(async () => {
      await broker?.stop()
      rmSync(directory, { recursive: true, force: true })
    }, 60_000)

    /** A source in this process, whose events are raised by the test. */
    const withSource = async (raise: RaiseMessages, work: () => Promise<unknown>): Promise<void> => {
      const urls = [readSourceUrl(kind.sourceOf(portOf())) as SourceUrl]
      const log = pino({ level: 'silent' })
      const [service] = makeEventSources({ urls, raise, userId: async () => 1, log, registry: new Registry() })
      await service?.start()
      try {
        await work()
      } finally {
        await service?.stop()
      }
    }

    test('come again, in their order, when they could not be raised, and go when they were', async () => {
      const ids = Array.from({ length: 30 }, (_, index) => `again ${index}`)
      await kind.publish(
        portOf(),
        ids.map((id) => [id, eventOf(0)]),
      )
      let failures = 0
      const raised: string[] = []
      const raise: RaiseMessages = async (messages) => {
        if ((failures += 1) <= 2) throw new Error('the database is away')
        raised.push(...messages.map(({ id }) => id ?? ''))
        return messages.map(() => ({ ok: true }))
      }
      await withSource(raise, () => eventually(() => expect(raised).toHaveLength(30)))
      expect(raised).toEqual(ids)
      await eventually(async () => expect(await kind.countLeft(portOf())).toBe(0))
    })

    test('that are refused for good are put away with the reason, and hold up nothing', async () => {
      const raised: string[] = []
      const raise: RaiseMessages = async (messages) =>
        messages.map(({ body, id = '' }) => {
          if (body.toString() === 'bad') return { ok: false, reason: 'It is bad.' }
          raised.push(id)
          return { ok: true }
        })
      await kind.publish(portOf(), [
        ['one', '{}'],
        ['two', 'bad'],
        ['three', '{}'],
      ])
      await withSource(raise, () => eventually(() => expect(raised).toEqual(['one', 'three'])))
      expect(await kind.deadLetters(portOf())).toEqual([{ body: 'bad', reason: 'It is bad.' }])
      await eventually(async () => expect(await kind.countLeft(portOf())).toBe(0))
    })

    test('are delivered once, whenever the server is killed', { timeout: 240_000 }, async () => {
      const receiver = await makeReceiver()
      const data = join(directory, 'data')
      installDatabase(data)
      const sources = { EVENT_SOURCES: kind.sourceOf(portOf()), EVENT_SOURCES_USER: serverEnvironment.ADMIN_EMAIL }
      const start = () => startServer({ ...serverEnvironment, DATA_DIR: data, ...sources }, directory)
      let server = await start()
      const { origin } = server
      const eventTypes = ['package.created']
      await prepareServer({
        origin,
        eventTypes,
        receiverUrl: receiver.url,
        secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
        locations: 0,
      })
      const arrived = (): number[] =>
        receiver.received.map(({ body }) => (JSON.parse(body.toString()) as { payload: { id: number } }).payload.id)
      let sent = 0
      for (let kill = 0; kill < kills; kill++) {
        const numbers = Array.from({ length: 500 }, () => (sent += 1))
        const before = new Set(arrived()).size
        // Under another id of the message: only the id of the event tells that it is the same.
        await kind.publish(
          portOf(),
          numbers.map((number) => [`first ${number}`, eventOf(number)]),
        )
        await kind.publish(
          portOf(),
          numbers.slice(0, 50).map((number) => [`second ${number}`, eventOf(number)]),
        )
        await eventually(() => expect(new Set(arrived()).size).toBeGreaterThan(before + 20))
        await server.kill()
        server = await start()
      }
      await kind.publish(portOf(), [['odd', JSON.stringify({ id: 'odd', type: 'no.such', data: {} })]])
      const nameless = { type: 'package.created', data: { ...example, id: -1 } }
      await kind.publish(portOf(), [['nameless', JSON.stringify(nameless)]])
      const expected = new Set([-1, ...Array.from({ length: sent }, (_, index) => index + 1)])
      await expect.poll(() => new Set(arrived()), { timeout: 120_000 }).toEqual(expected)
      // An event has one delivery, whose id stays the same when it is sent again.
      const ids = new Map<number, Set<string>>()
      for (const { body, headers } of receiver.received) {
        const { payload } = JSON.parse(body.toString()) as { payload: { id: number } }
        ids.set(payload.id, (ids.get(payload.id) ?? new Set()).add(String(headers['webhook-id'])))
      }
      expect([...ids].filter(([, of]) => of.size !== 1)).toEqual([])
      const letters = (await kind.deadLetters(portOf())).filter(({ body }) => body.includes('"odd"'))
      expect(letters).toMatchObject([{ reason: expect.stringMatching(/^type: /) as string }])
      await server.stop()
    })
  })
})

test.each([
  ['redis://host/0?stream=x', /nats\(s\)/],
  ['nats://host?consumer=a&dead_letter=b', /stream/],
  ['nats://host/IN?dead_letter=b', /consumer/],
  ['nats://host/IN?consumer=a', /refused messages/],
  ['amqp://host/?dead_letter=b', /queue/],
  ['amqp://host/?queue=a', /exchange/],
  ['amqp://host/?queue=a&dead_letter=b&prefetch=1', /prefetch/],
])('a source %s is refused with what is missing', (url, says) => {
  expect(readSourceUrl(url)).toMatch(says)
})
