import { isIP } from 'node:net'
import type { ConfirmChannel, Message } from 'amqplib'
import {
  BrokerRefused,
  filled,
  OtherProtocol,
  SignInRefused,
  unknownParameter,
  type Broker,
  type BrokerMessage,
  type Link,
  type Ways,
} from '../broker/broker.ts'
import type { BrokerUrl } from '../broker/broker-url.ts'

/**
 * RabbitMQ: `amqp://host[:5672][/vhost]?exchange=…[&routing_key=…]`, or `?routing_key=queue` for the default exchange. A message
 * is delivered when RabbitMQ has confirmed it; it is persistent and mandatory, so one that reaches no queue is refused.
 */
export const rabbitmq: Broker = {
  name: 'RabbitMQ',
  spaceOf: ({ path }) => path,
  routeProblem(url) {
    const { exchange = '', routing_key: key = '' } = url.query
    if (exchange === '' && key === '')
      return 'Name the exchange in the query, such as amqp://rabbitmq.example.com/vhost?exchange=orders&routing_key={event_type}, or with routing_key alone a queue.'
    if (Buffer.byteLength(exchange) > maxBytes || Buffer.byteLength(key) > maxBytes)
      return `Names of exchanges and routing keys have at most ${maxBytes} bytes.`
    return unknownParameter(url, ['exchange', 'routing_key'])
  },
  open: (url, ways) => openLink(url, ways),
}

/** By AMQP 0-9-1. */
const maxBytes = 255
/** A channel that nobody used for this long is closed; RabbitMQ lets a connection have 2,047. */
const idleMs = 60_000
const heartbeatSeconds = 15

const openLink = async (url: BrokerUrl, ways: Ways): Promise<Link> => {
  const { connect } = await import('amqplib')
  const connection = await connect(accountOf(url, ways), socketOf(url, ways)).catch((error: unknown) => {
    throw meaningOf(error)
  })
  let [lastError, blocked]: [Error | undefined, string | undefined] = [undefined, undefined]
  connection
    .on('error', (error) => {
      lastError = error
    })
    .on('close', (error?: Error) => ways.onClosed(lastError ?? error ?? new Error('The connection was closed')))
    .on('blocked', (reason) => {
      blocked = `RabbitMQ takes no messages at the moment (${reason}).`
    })
    .on('unblocked', () => {
      blocked = undefined
    })

  // An error closes the channel with all that is under way on it, so each exchange has its own.
  const channels = new Map<string, Publisher>()
  const timer = setInterval(() => {
    for (const [name, publisher] of channels) if (publisher.closeIfIdle()) channels.delete(name)
  }, idleMs).unref()
  const publisherOf = (exchange: string): Publisher => {
    const before = channels.get(exchange)
    if (before?.isUsable === true) return before
    const made = new Publisher(exchange, connection.createConfirmChannel())
    channels.set(exchange, made)
    return made
  }

  return {
    publish: ({ query }, message) =>
      publisherOf(query['exchange'] ?? '').publish(
        filled(query['routing_key'] ?? '{event_type}', message.eventType),
        message,
      ),
    blockedBecause: () => blocked,
    close() {
      clearInterval(timer)
      connection.close().catch(() => undefined)
    },
  }
}

const accountOf = (url: BrokerUrl, { credentials = { user: 'guest', password: 'guest' } }: Ways) => ({
  protocol: url.isTls ? 'amqps' : 'amqp',
  hostname: url.hostname,
  port: url.port,
  username: credentials.user ?? '',
  password: credentials.password,
  vhost: encodeURIComponent(url.path === '' ? '/' : url.path),
  heartbeat: heartbeatSeconds,
})

/** The client opens its socket itself, with the guard's look-up. */
const socketOf = ({ hostname }: BrokerUrl, { lookup, connectTimeoutMs, ca, clientName }: Ways) => ({
  lookup,
  timeout: 2 * connectTimeoutMs,
  noDelay: true,
  keepAlive: true,
  rejectUnauthorized: true,
  ...(isIP(hostname) === 0 && { servername: hostname.replace(/\.$/, '') }),
  ...(ca !== undefined && { ca: [Buffer.from(ca)] }),
  clientProperties: { connection_name: clientName },
})

/** Publishes to one exchange, on a channel of its own. */
class Publisher {
  readonly #exchange: string
  readonly #channel: Promise<ConfirmChannel>
  /** Why messages under way came back, by id. */
  readonly #returned = new Map<string, string>()
  #inFlight = 0
  #usedAt = performance.now()
  #closedBy: Error | undefined
  isUsable = true

  constructor(exchange: string, channel: Promise<ConfirmChannel>) {
    this.#exchange = exchange
    this.#channel = channel
    channel.then(
      (open) => this.#watch(open),
      () => {
        this.isUsable = false
      },
    )
  }

  async publish(routingKey: string, message: BrokerMessage): Promise<string> {
    this.#inFlight += 1
    this.#usedAt = performance.now()
    try {
      const channel = await this.#channel
      if (!this.isUsable) throw this.#closedBy ?? new Error('The channel was closed')
      await this.#confirmed(channel, routingKey, message)
      const reason = this.#returned.get(message.id)
      if (reason === undefined)
        return `Confirmed by RabbitMQ${this.#exchange === '' ? '' : ` for the exchange ${this.#exchange}`}.`
      this.#returned.delete(message.id)
      throw new BrokerRefused(`No queue takes it: ${this.#where()}, routing key ${routingKey} (${reason}).`)
    } finally {
      this.#inFlight -= 1
    }
  }

  /** @returns whether nobody uses it any more. */
  closeIfIdle(): boolean {
    if (this.#inFlight > 0 || performance.now() - this.#usedAt < idleMs) return false
    this.isUsable = false
    this.#channel.then((open) => open.close()).catch(() => undefined)
    return true
  }

  #confirmed(channel: ConfirmChannel, routingKey: string, message: BrokerMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const { body } = message
      const bytes =
        typeof body === 'string'
          ? Buffer.from(body, 'utf8')
          : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
      channel.publish(this.#exchange, routingKey, bytes, propertiesOf(message), (error: unknown) => {
        if (error === null) resolve()
        else if (this.isUsable)
          reject(new BrokerRefused('RabbitMQ answered that it could not take the message (nack).'))
        else reject(this.#closedBy ?? new Error('The channel was closed'))
      })
    })
  }

  #watch(channel: ConfirmChannel): void {
    channel
      .on('return', ({ fields, properties }: Message) => {
        const reason = (fields as { replyText?: string }).replyText ?? 'returned'
        this.#returned.set(String(properties.messageId), reason)
      })
      .on('error', (error) => {
        this.isUsable = false
        // A channel is closed for what was asked of it: the exchange is missing, or not for this account.
        this.#closedBy = new BrokerRefused(`RabbitMQ refused it: ${sentenceIn(error)}.`)
      })
      .on('close', () => {
        this.isUsable = false
      })
  }

  #where(): string {
    return this.#exchange === '' ? 'the default exchange' : `exchange ${this.#exchange}`
  }
}

const propertiesOf = ({ id, eventType, headers }: BrokerMessage) => ({
  mandatory: true,
  persistent: true,
  messageId: id,
  type: eventType,
  contentType: headers['content-type'] ?? 'application/octet-stream',
  timestamp: Number(headers['webhook-timestamp']),
  headers,
})

/** The client puts what the server said between quotes: `Channel closed by server: 404 (NOT-FOUND) with message "…"`. */
const sentenceIn = ({ message }: Error): string => /"([^"]+)"/.exec(message)?.[1] ?? message

const meaningOf = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error
  const { message } = error
  if (/ACCESS.REFUSED/.test(message))
    return /Login was refused/.test(message)
      ? new SignInRefused('RabbitMQ does not accept the user or the password')
      : new BrokerRefused(`RabbitMQ refused the connection: ${sentenceIn(error)}.`)
  if (/NOT.ALLOWED|NOT.FOUND/.test(message))
    return new BrokerRefused(`RabbitMQ refused the connection: ${sentenceIn(error)}.`)
  // The client does not pass on what the server says then, which is 530 NOT_ALLOWED.
  if (/Expected ConnectionOpenOk; got <ConnectionClose/.test(message))
    return new BrokerRefused('RabbitMQ has no such virtual host, or does not let this account use it.')
  if (/Invalid frame|Frame size|Expected Connection|Unknown|Socket closed abruptly/i.test(message))
    return new OtherProtocol('What answers on this port does not speak AMQP 0-9-1')
  return error
}
