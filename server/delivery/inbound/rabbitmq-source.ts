import { connect, type ConfirmChannel, type ConsumeMessage } from 'amqplib'
import { Inbox, waysOf, maxUnacknowledged, reasonHeader, type OpenSource, type SourceMessage } from './source.ts'
import type { SourceUrl } from './source-url.ts'

const connectTimeoutMs = 10_000

/** Takes messages of a queue, and puts those that are refused into an exchange under the name of the queue. */
export const openRabbitmqSource = async (url: SourceUrl): Promise<OpenSource> => {
  const { isTls, hostname, port, user = 'guest', password, space, from: queue } = url
  const account = { username: user, password: url.user === undefined ? 'guest' : password }
  const vhost = encodeURIComponent(space === '' ? '/' : space)
  const connection = await connect(
    { protocol: isTls ? 'amqps' : 'amqp', hostname, port, ...account, vhost, heartbeat: 15 },
    { timeout: connectTimeoutMs, noDelay: true, clientProperties: { connection_name: 'waybill events' } },
  )
  const inbox = new Inbox()
  // Its end says all that an error would.
  connection.on('error', () => inbox.close()).on('close', () => inbox.close())
  let channel: ConfirmChannel
  try {
    channel = await connection.createConfirmChannel()
    const returned = new Set<string>()
    channel
      .on('error', () => inbox.close())
      .on('close', () => inbox.close())
      .on('return', ({ properties }) => returned.add(String(properties.correlationId)))
    await channel.prefetch(maxUnacknowledged)
    await channel.consume(queue, (message) => {
      // Without a message the queue is gone.
      if (message === null) inbox.close()
      else inbox.push(received(channel, message, (reason) => bury(channel, url, { message, reason, returned })))
    })
  } catch (error) {
    await connection.close().catch(() => undefined)
    throw error
  }
  // The channel first: the end of the connection could overtake acknowledgements, that of their channel cannot.
  const close = async (): Promise<void> => {
    await ended(() => channel.close())
    await ended(() => connection.close())
  }
  return { ...waysOf(inbox), close }
}

/** Closes what may be closed already, which the client answers with an error. */
const ended = async (close: () => Promise<void>): Promise<void> => {
  try {
    await close()
  } catch {
    // Closed already: nothing is left to do.
  }
}

const received = (
  channel: ConfirmChannel,
  message: ConsumeMessage,
  deadLetter: SourceMessage['deadLetter'],
): SourceMessage => ({
  body: message.content,
  id: typeof message.properties.messageId === 'string' ? message.properties.messageId : undefined,
  acknowledge: () => channel.ack(message),
  deadLetter,
  // RabbitMQ waits half an hour, and then closes the channel.
  touch: () => undefined,
})

interface Burial {
  readonly message: ConsumeMessage
  readonly reason: string
  /** Of messages that came back, because no queue takes them. */
  readonly returned: Set<string>
}

const bury = (channel: ConfirmChannel, url: SourceUrl, { message, reason, returned }: Burial): Promise<void> =>
  new Promise((resolve, reject) => {
    const { content, fields, properties } = message
    const mark = `waybill-${fields.deliveryTag}`
    const headers = { ...properties.headers, [reasonHeader]: reason }
    const carried = { ...idOf(message), headers, correlationId: mark, persistent: true, mandatory: true }
    channel.publish(url.deadLetter, url.from, content, carried, (error: unknown) => {
      if (error !== null) reject(error instanceof Error ? error : new Error('RabbitMQ did not take the dead letter.'))
      else if (returned.delete(mark))
        reject(new Error(`No queue takes dead letters: exchange ${url.deadLetter}, routing key ${url.from}.`))
      else resolve()
    })
  })

const idOf = ({ properties: { messageId, contentType } }: ConsumeMessage) => ({
  ...(typeof messageId === 'string' && { messageId }),
  ...(typeof contentType === 'string' && { contentType }),
})
