import type { Broker } from '../broker/broker.ts'
import { readBrokerUrl } from '../broker/broker-url.ts'
import { jetstream } from './jetstream.ts'
import { rabbitmq } from './rabbitmq.ts'
import { redis } from './redis.ts'

/** Scheme → the broker that it means. */
const brokers: Readonly<Record<string, Broker>> = {
  'nats:': jetstream,
  'natss:': jetstream,
  'amqp:': rabbitmq,
  'amqps:': rabbitmq,
  'redis:': redis,
  'rediss:': redis,
}

export const brokerOf = (protocol: string): Broker | undefined => brokers[protocol]

/** What is wrong with a broker's URL besides its host, or missing; undefined when nothing is. */
export const routeProblem = (text: string): string | undefined => {
  const url = readBrokerUrl(text)
  return typeof url === 'string' ? url : brokerOf(url.protocol)?.routeProblem(url)
}
