import { connect as connectAmqp } from 'amqplib'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect as connectNats } from '@nats-io/transport-node'
import { Redis } from 'ioredis'
import type { DebianServer } from './debian-server.ts'
import { account, natsCommand, startNats } from './nats-server.ts'
import { rabbitmqCommand, startRabbitmq, virtualHost } from './rabbitmq-server.ts'
import { redisCommand, startRedis } from './redis-server.ts'

/** A message as a consumer of the broker finds it. */
export interface Found {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Tls {
  readonly cert: string
  readonly key: string
}

/** What the conformance suite needs to know of a kind of broker. */
export interface BrokerKind {
  readonly name: string
  readonly command: string
  readonly scheme: string
  start(tls?: Tls): Promise<DebianServer>
  /** What follows the host in the URL of a place that `prepare` made. */
  readonly place: string
  /** The same with the type of the event in the name of the place. */
  readonly placeByType: string
  /** A place that nobody made, what the refusal of it says, and one that the account `narrow` may not use; null when it makes itself. */
  readonly missing: { readonly place: string; readonly says: RegExp } | null
  readonly forbidden: string
  /** URLs that are refused when somebody subscribes, and what the sentence names. */
  readonly wrongPlaces: readonly (readonly [place: string, says: RegExp])[]
  /** Makes the place, and one named after the event `package.created`. */
  prepare(port: number): Promise<void>
  /** Everything that is there, the oldest first. */
  read(port: number, byType?: boolean): Promise<Found[]>
}

const nats: BrokerKind = {
  name: 'NATS JetStream',
  command: natsCommand,
  scheme: 'nats',
  start: startNats,
  place: '/orders.new',
  placeByType: '/events.{event_type}',
  missing: { place: '/nobody.listens', says: /No stream of NATS JetStream listens to the subject nobody\.listens/ },
  forbidden: '/orders.new',
  wrongPlaces: [
    ['', /Name the subject/],
    ['/orders.*', /subject/],
    ['/a..b', /subject/],
    ['/$JS.API.STREAM.DELETE.ORDERS', /begin with \$/],
    ['/orders?stream=x', /parameter stream/],
  ],
  async prepare(port) {
    const connection = await natsTo(port)
    const manager = await jetstreamManager(connection)
    await manager.streams.add({ name: 'ORDERS', subjects: ['orders.>'] })
    await manager.streams.add({ name: 'EVENTS', subjects: ['events.package.created'] })
    await connection.close()
  },
  async read(port, byType = false) {
    const connection = await natsTo(port)
    const name = byType ? 'EVENTS' : 'ORDERS'
    const { state } = await (await jetstreamManager(connection)).streams.info(name)
    const consumer = await jetstream(connection).consumers.get(name)
    const found: Found[] = []
    if (state.messages > 0)
      for await (const message of await consumer.fetch({ max_messages: state.messages, expires: 5_000 })) {
        const headers = message.headers?.keys().map((key) => [key, message.headers?.get(key) ?? ''] as const) ?? []
        found.push({ headers: Object.fromEntries(headers), body: message.string() })
      }
    await connection.close()
    return found
  },
}

export const natsTo = (port: number) =>
  connectNats({ servers: `127.0.0.1:${port}`, user: account.user, pass: account.password })

const rabbitmq: BrokerKind = {
  name: 'RabbitMQ',
  command: rabbitmqCommand,
  scheme: 'amqp',
  start: startRabbitmq,
  place: `/${encodeURIComponent(virtualHost)}?exchange=orders&routing_key=new`,
  placeByType: `/${encodeURIComponent(virtualHost)}?exchange=orders`,
  missing: { place: `/${encodeURIComponent(virtualHost)}?exchange=nobody`, says: /no exchange 'nobody'/ },
  forbidden: `/${encodeURIComponent(virtualHost)}?exchange=orders&routing_key=new`,
  wrongPlaces: [
    ['', /Name the exchange/],
    ['/vhost', /Name the exchange/],
    ['/?exchange=a&queue=b', /parameter queue/],
    ['/?exchange=a&exchange=b', /once/],
    [`/?exchange=${'x'.repeat(256)}`, /255/],
  ],
  async prepare(port) {
    const connection = await amqpTo(port)
    const channel = await connection.createChannel()
    await channel.assertExchange('orders', 'topic', { durable: true })
    for (const [queue, key] of [['orders', 'new'] as const, ['events', 'package.created'] as const]) {
      await channel.assertQueue(queue, { durable: true })
      await channel.bindQueue(queue, 'orders', key)
    }
    await connection.close()
  },
  async read(port, byType = false) {
    const connection = await amqpTo(port)
    const channel = await connection.createChannel()
    const found: Found[] = []
    for (;;) {
      const message = await channel.get(byType ? 'events' : 'orders')
      if (message === false) break
      const headers = Object.entries(message.properties.headers ?? {}).map(([name, value]) => [name, String(value)])
      found.push({ headers: Object.fromEntries(headers) as Record<string, string>, body: message.content.toString() })
    }
    // What is not acknowledged goes back to its queue, in its order.
    await connection.close()
    return found
  },
}

export const amqpTo = (port: number) =>
  connectAmqp({
    protocol: 'amqp',
    hostname: '127.0.0.1',
    port,
    username: account.user,
    password: account.password,
    vhost: encodeURIComponent(virtualHost),
  })

const redis: BrokerKind = {
  name: 'Redis',
  command: redisCommand,
  scheme: 'redis',
  start: startRedis,
  place: '/0?stream=orders',
  placeByType: '?stream={event_type}&maxlen=1000',
  // A stream is made by its first message.
  missing: null,
  forbidden: '?stream=orders',
  wrongPlaces: [
    ['', /Name the stream/],
    ['/first?stream=a', /number of a database/],
    ['?stream=a&maxlen=0', /maxlen/],
    ['?stream=a&ttl=5', /parameter ttl/],
  ],
  prepare: async () => undefined,
  async read(port, byType = false) {
    const client = new Redis({ host: '127.0.0.1', port, username: account.user, password: account.password })
    const entries = await client.xrange(byType ? 'package.created' : 'orders', '-', '+')
    client.disconnect()
    return entries.map(([, fields]) => {
      const pairs = Array.from({ length: fields.length / 2 }, (_, index) => [fields[2 * index], fields[2 * index + 1]])
      const { body = '', ...headers } = Object.fromEntries(pairs) as Record<string, string>
      return { headers, body }
    })
  },
}

export const brokerKinds: readonly BrokerKind[] = [nats, rabbitmq, redis]
