import { readBrokerUrl } from '../outbound/broker/broker-url.ts'

/** Where events are taken from, and where refused messages go. */
export interface SourceUrl {
  readonly kind: 'jetstream' | 'rabbitmq'
  /** To be shown: without the account. */
  readonly name: string
  readonly isTls: boolean
  readonly hostname: string
  readonly port: number
  readonly user: string | undefined
  readonly password: string
  /** The stream, or the virtual host. */
  readonly space: string
  /** The durable consumer, or the queue. */
  readonly from: string
  /** A subject, or an exchange. */
  readonly deadLetter: string
}

/**
 * Reads `nats://user:password@host/STREAM?consumer=name&dead_letter=subject` or
 * `amqp://user:password@host/vhost?queue=name&dead_letter=exchange`.
 * @returns a sentence when something is missing.
 */
export const readSourceUrl = (text: string): SourceUrl | string => {
  const url = readBrokerUrl(text)
  if (typeof url === 'string' || url.protocol.startsWith('redis'))
    return 'events are taken from nats(s):// and amqp(s)://'
  const { protocol, isTls, hostname, port, path, query } = url
  const kind = protocol.startsWith('nats') ? 'jetstream' : 'rabbitmq'
  const key = kind === 'jetstream' ? 'consumer' : 'queue'
  const { [key]: from = '', dead_letter: deadLetter = '', ...others } = query
  const problem = partProblem({ kind, key, path, from, deadLetter, unknown: Object.keys(others)[0] })
  if (problem !== undefined) return problem
  const { username, password } = new URL(text)
  const name = `${protocol}//${hostname}:${port}/${path}?${key}=${from}`
  const user = username === '' ? undefined : decodeURIComponent(username)
  const where = { kind, name, isTls, hostname, port, from, deadLetter, space: path } as const
  return { ...where, user, password: decodeURIComponent(password) }
}

interface Parts extends Pick<SourceUrl, 'kind' | 'from' | 'deadLetter'> {
  readonly key: string
  readonly path: string
  readonly unknown: string | undefined
}

const partProblem = ({ kind, key, path, from, deadLetter, unknown }: Parts): string | undefined => {
  if (unknown !== undefined) return `the parameter ${unknown} means nothing (known: ${key}, dead_letter)`
  if (kind === 'jetstream' && path === '')
    return 'name the stream after the host: nats://host/STREAM?consumer=…&dead_letter=…'
  if (from === '') return `name the ${key} in the query: ?${key}=…`
  const place = kind === 'jetstream' ? 'a subject' : 'an exchange'
  return deadLetter === '' ? `name where refused messages go in the query: ?dead_letter=${place}` : undefined
}
