import { AckPolicy, jetstream, jetstreamManager, JetStreamApiError, type JsMsg } from '@nats-io/jetstream'
import { nanos, type ConnectionOptions } from '@nats-io/nats-core'
import { connectNats } from '../outbound/broker/nats-connection.ts'
import { Inbox, waysOf, maxUnacknowledged, reasonHeader, type OpenSource, type SourceMessage } from './source.ts'
import type { SourceUrl } from './source-url.ts'

/** How long the server waits for a sign of life before it gives a message to another process. */
const ackWaitMs = 30_000
const connectTimeoutMs = 10_000
/** JetStream's code for a consumer that is not there. */
const consumerNotFound = 10_014

/** Takes messages of a stream with a durable pull consumer, which is made when it is not there. */
export const openJetstreamSource = async (url: SourceUrl): Promise<OpenSource> => {
  const { isTls, hostname, port, user, password, space: stream, from, deadLetter } = url
  const account = user === undefined ? {} : { user, pass: password }
  const options: ConnectionOptions = {
    ...account,
    servers: [`${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`],
    name: 'waybill events',
    reconnect: false,
    timeout: connectTimeoutMs,
    ...(isTls && { tls: {} }),
  }
  const connection = await connectNats(options)
  const inbox = new Inbox()
  void connection.closed().then(() => inbox.close())
  try {
    const { consumers } = await jetstreamManager(connection)
    const settings = { durable_name: from, ack_policy: AckPolicy.Explicit, ack_wait: nanos(ackWaitMs), max_deliver: -1 }
    await consumers.info(stream, from).catch((error: unknown) => {
      if (!(error instanceof JetStreamApiError) || error.code !== consumerNotFound) throw error
      return consumers.add(stream, { ...settings, max_ack_pending: maxUnacknowledged })
    })
    const client = jetstream(connection)
    const consumer = await client.consumers.get(stream, from)
    const bury = async (message: JsMsg, reason: string): Promise<void> => {
      const { headers } = message
      const carried = (await import('@nats-io/nats-core')).headers()
      for (const key of headers?.keys() ?? []) if (!key.startsWith('Nats-')) carried.set(key, headers?.get(key) ?? '')
      carried.set(reasonHeader, reason)
      await client.publish(deadLetter, message.data, { headers: carried })
    }
    const messages = await consumer.consume({
      max_messages: maxUnacknowledged,
      callback: (message) => inbox.push(received(message, (reason) => bury(message, reason))),
    })
    void messages.closed().then(() => inbox.close())
    return { ...waysOf(inbox), close: () => connection.drain().catch(() => undefined) }
  } catch (error) {
    await connection.close()
    throw error
  }
}

const received = (message: JsMsg, deadLetter: SourceMessage['deadLetter']): SourceMessage => ({
  body: Buffer.from(message.data),
  id: message.headers?.get('Nats-Msg-Id') || undefined,
  acknowledge: () => message.ack(),
  deadLetter,
  touch: () => message.working(),
})
