import { pino, type DestinationStream, type Logger } from 'pino'
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

const warn = 40

/**
 * JSON lines on standard output; messages are `noun.verb`, facts are fields.
 * @param nextSteps what whoever reads a line of level warn or above can do about it, by its message.
 * @param destination where it goes instead.
 */
export const makeLogger = (
  level: string,
  nextSteps: Readonly<Record<string, string>> = {},
  destination?: DestinationStream,
): Logger =>
  pino(
    {
      level,
      redact: { paths, censor: '[secret]' },
      formatters: { level: (label) => ({ level: label }) },
      base: null,
      hooks: {
        logMethod(given, method, severity) {
          const [facts, message] = typeof given[0] === 'string' ? [{}, given[0]] : given
          const nextStep = severity < warn || message === undefined ? undefined : nextSteps[message]
          method.apply(this, nextStep === undefined ? given : [{ ...(facts as object), nextStep }, message])
        },
      },
    },
    destination,
  )

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
