import { pino, type Logger } from 'pino'
import { collectDefaultMetrics, Registry } from 'prom-client'

/** Fields whose values never reach a log, wherever in an object they stand. */
const secretFields = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'secret_key',
  'token',
  'key',
  'x-access-token',
  'refresh_token',
]
const paths = secretFields.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`])

/** JSON lines on standard output; messages are `noun.verb`, facts are fields. */
export const makeLogger = (level: string): Logger =>
  pino({
    level,
    redact: { paths, censor: '[secret]' },
    formatters: { level: (label) => ({ level: label }) },
    base: null,
  })

/** The registry behind `/metrics`, with the process's own figures (memory, event loop, handles). */
export const makeRegistry = (): Registry => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'waybill_' })
  return registry
}
