import type { ConnectionOptions, MsgHdrs, NatsConnection } from '@nats-io/nats-core'
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
 * NATS JetStream: `nats://host[:4222]/subject`. A message is delivered when the stream of its subject has acknowledged it.
 * `Nats-Msg-Id` is the webhook-id, so that within the stream's window of duplicates no repetition is stored twice.
 */
export const jetstream: Broker = {
  name: 'NATS JetStream',
  spaceOf: () => '',
  routeProblem(url) {
    const subject = url.path
    if (subject === '') return 'Name the subject after the host, such as nats://nats.example.com/orders.{event_type}.'
    // What begins with $ belongs to the server itself.
    if (!/^[^\s.*>$][^\s.*>]*(?:\.[^\s.*>]+)*$/.test(subject.replaceAll('{event_type}', 'e.v')))
      return 'A subject is words joined by dots, without blanks, * and >, and does not begin with $.'
    return unknownParameter(url, [])
  },
  open: (url, ways) => openLink(url, ways),
}

/** How long before the end of an exchange the client itself gives up waiting; the exchange has its own budget. */
const requestTimeoutMs = 60_000

/** Other servers of a cluster that servers have named, for when the one in the URL is down. */
const otherServers = new Map<string, readonly string[]>()
const maxRemembered = 1_000

const openLink = async (url: BrokerUrl, ways: Ways): Promise<Link> => {
  const { headers, errors } = await import('@nats-io/nats-core')
  const { connectNats } = await import('../broker/nats-connection.ts')
  const seed = `${url.hostname.includes(':') ? `[${url.hostname}]` : url.hostname}:${url.port}`
  const options: ConnectionOptions = {
    ...accountOf(ways),
    servers: [seed, ...(otherServers.get(seed) ?? [])],
    noRandomize: true,
    name: ways.clientName,
    // Closed connections are opened again by the next message.
    reconnect: false,
    timeout: 2 * ways.connectTimeoutMs,
    noAsyncTraces: true,
    pingInterval: 20_000,
    ...(url.isTls && { tls: ways.ca === undefined ? {} : { ca: ways.ca } }),
  }
  const connection = await connectNats(options, ways.dial).catch((error: unknown) => {
    throw meaningOf(error)
  })
  remember(seed, connection)
  void connection.closed().then((error) => ways.onClosed(error instanceof Error ? error : new Error('closed')))

  return {
    async publish({ path }, message) {
      const subject = filled(path, message.eventType)
      try {
        const carried = { headers: headersOf(headers(), message), timeout: requestTimeoutMs }
        const answer = await connection.request(subject, message.body, carried)
        return receiptOf(subject, answer.string())
      } catch (error) {
        throw refusalOf(subject, error) ?? error
      }
    },
    close: () => void connection.close(),
  }

  function refusalOf(subject: string, error: unknown): BrokerRefused | undefined {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    if (error instanceof BrokerRefused) return error
    if (cause instanceof errors.NoRespondersError)
      return new BrokerRefused(`No stream of NATS JetStream listens to the subject ${subject}; create one.`)
    if (cause instanceof errors.PermissionViolationError)
      return new BrokerRefused(`This account may not publish to the subject ${subject}, or may not receive answers.`)
    if (cause instanceof errors.InvalidArgumentError)
      return new BrokerRefused(`The message was not sent: ${cause.message}.`)
    return undefined
  }
}

const accountOf = ({ credentials }: Ways): Partial<ConnectionOptions> => {
  if (credentials === undefined) return {}
  const { user, password } = credentials
  return user === undefined ? { token: password } : { user, pass: password }
}

const headersOf = (made: MsgHdrs, { id, headers }: BrokerMessage): MsgHdrs => {
  made.set('Nats-Msg-Id', id)
  for (const [name, value] of Object.entries(headers)) made.set(name, value)
  return made
}

/** What the stream answers, as JSON: where it put the message, or why not. */
interface Acknowledgement {
  readonly stream?: string
  readonly seq?: number
  readonly duplicate?: boolean
  readonly error?: { readonly description?: string; readonly code?: number }
}

const receiptOf = (subject: string, text: string): string => {
  const answer = acknowledgementIn(text)
  if (answer?.error !== undefined)
    throw new BrokerRefused(`The stream refused it: ${answer.error.description ?? `error ${answer.error.code ?? ''}`}.`)
  // Whoever listens to the subject can answer.
  if (answer?.stream === undefined)
    throw new BrokerRefused(`What answers on the subject ${subject} is no stream of NATS JetStream.`)
  const had = answer.duplicate === true ? ', which had it already' : ''
  return `Message ${answer.seq ?? '?'} of the stream ${answer.stream}${had}.`
}

const acknowledgementIn = (text: string): Acknowledgement | null | undefined => {
  try {
    return JSON.parse(text) as Acknowledgement | null
  } catch {
    return undefined
  }
}

/** The client wraps errors of the socket, and says with names of classes what a server refused. */
const meaningOf = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error
  if (/Authorization|Authentication/.test(`${error.name} ${error.message}`))
    return new SignInRefused('NATS does not accept the user or the password, or asks for them')
  if (/unexpected response|not valid JSON/.test(error.message))
    return new OtherProtocol('What answers on this port does not speak the protocol of NATS')
  return error.cause instanceof Error ? error.cause : error
}

const remember = (seed: string, connection: NatsConnection): void => {
  const [oldest] = otherServers.keys()
  if (otherServers.size >= maxRemembered && oldest !== undefined) otherServers.delete(oldest)
  const others = connection.info?.connect_urls?.filter((server) => server !== seed) ?? []
  otherServers.set(seed, others)
}
