import { pino, type Logger } from 'pino'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

/** Fields whose values never reach a log, wherever in an object they stand. */
const secretFields = [
  'authorization',
  'cookie',
  'set-cookie',
  'x-csrf-token',
  'csrf_token',
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

interface GaugeOptions<Label extends string> {
  readonly name: string
  readonly help: string
  readonly labelNames?: readonly Label[]
  /** Sets it when somebody asks for the metrics. */
  readonly collect?: (gauge: Gauge<Label>) => void
}

/** A gauge that is absent until it is set: a process that has not looked must not say 0. */
export const makeGauge = <Label extends string = never>(
  registry: Registry,
  { name, help, labelNames = [], collect = () => undefined }: GaugeOptions<Label>,
): Gauge<Label> => {
  const collected = { name, help, labelNames, registers: [registry], collect: () => collect(gauge) }
  const gauge: Gauge<Label> = new Gauge(collected)
  if (labelNames.length === 0) gauge.remove()
  return gauge
}
