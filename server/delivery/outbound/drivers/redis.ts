import type { Redis } from 'ioredis'
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
 * Redis Streams: `redis://host[:6379][/db]?stream=name[&maxlen=100000]`. A message is delivered when XADD has answered with its
 * id. Its fields are the headers and `body`; a consumer tells repetitions by the field `webhook-id`.
 */
export const redis: Broker = {
  name: 'Redis',
  spaceOf: ({ path }) => path,
  routeProblem(url) {
    const { path, query } = url
    if (!/^\d{0,4}$/.test(path))
      return 'After the host stands the number of a database or nothing, such as redis://host/0.'
    if (!query['stream']) return 'Name the stream in the query, such as redis://redis.example.com/0?stream=orders.'
    if (query['maxlen'] !== undefined && !/^[1-9]\d{0,14}$/.test(query['maxlen']))
      return 'maxlen is how many messages the stream keeps about: a whole number from 1.'
    return unknownParameter(url, ['stream', 'maxlen'])
  },
  open: (url, ways) => openLink(url, ways),
}

const openLink = async ({ hostname, port, isTls, path }: BrokerUrl, ways: Ways): Promise<Link> => {
  const { Redis, AbstractConnector } = await import('ioredis')
  const socket = await ways.dial({ hostname, port, isTls })
  class Given extends AbstractConnector {
    constructor() {
      super(0)
    }
    override connect(): Promise<typeof socket> {
      this.stream = socket
      return Promise.resolve(socket)
    }
  }
  const client = new Redis({
    Connector: Given,
    lazyConnect: true,
    // Closed connections are opened again by the next message, which nobody sends a second time unasked.
    retryStrategy: null,
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    // What an account may do besides XADD is not for us to ask.
    enableReadyCheck: false,
    disableClientInfo: true,
    protocol: 2,
  })
  let lastError: Error | undefined
  client.on('error', (error: Error) => {
    lastError = error
  })
  try {
    await client.connect()
    await signIn(client, ways)
    if (path !== '' && path !== '0') await client.call('SELECT', path)
  } catch (error) {
    client.disconnect()
    throw meaningOf(error, lastError)
  }
  client.once('close', () => ways.onClosed(lastError ?? new Error('The connection was closed')))

  return {
    async publish({ query }, message) {
      const stream = filled(query['stream'] ?? '', message.eventType)
      const trim = query['maxlen'] === undefined ? [] : ['MAXLEN', '~', query['maxlen']]
      try {
        const id = await client.call('XADD', stream, ...trim, '*', ...fieldsOf(message))
        return `Message ${String(id)} of the stream ${stream}.`
      } catch (error) {
        throw meaningOf(error, lastError)
      }
    },
    close: () => client.disconnect(),
  }
}

/** By hand, because the client goes on when it is refused. */
const signIn = async (client: Redis, { credentials }: Ways): Promise<void> => {
  if (credentials === undefined) return
  const { user, password } = credentials
  await client.call('AUTH', ...(user === undefined ? [password] : [user, password]))
}

const fieldsOf = ({ headers, body }: BrokerMessage): (string | Buffer)[] => [
  ...Object.entries(headers).flat(),
  // Last, so that in a map of the fields it wins over a header of this name.
  'body',
  typeof body === 'string' ? body : Buffer.from(body),
]

/** An error that the server answered begins with a word in capitals that says its kind. */
const meaningOf = (error: unknown, lastError: Error | undefined): unknown => {
  if (!(error instanceof Error)) return error
  if (error.name === 'ReplyError') {
    const [kind = ''] = error.message.split(' ')
    if (/^(?:NOAUTH|WRONGPASS)$/.test(kind) || /called without any password/.test(error.message))
      return new SignInRefused(`Redis does not accept the user or the password, or asks for them (${error.message})`)
    return new BrokerRefused(`Redis refused it: ${error.message}.`)
  }
  if (error.name === 'ParserError' || error.message.startsWith('Unknown RESP type'))
    return new OtherProtocol('What answers on this port does not speak the protocol of Redis')
  // Of a command that a broken connection leaves without an answer the client says only that.
  return lastError ?? error
}
