import { randomUUID } from 'node:crypto'
import { diag, DiagLogLevel, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, resourceAttributesEnvDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { minuteMs } from '../clock.ts'
import { parseTraceparent, traceparentOf } from './traceparent.ts'
import { enterSpan, type Span, type SpanOptions, type Tracing } from './tracing.ts'

type TracingConfig = Pick<Config, 'OTEL_SERVICE_NAME' | 'OTEL_TRACES_SAMPLER' | 'OTEL_TRACES_SAMPLER_ARG'>

export interface TracingOptions {
  readonly config: TracingConfig
  readonly version: string
  readonly role: string
  readonly log: Logger
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
}

/**
 * Sends spans as OTLP over HTTP, as JSON. Where to, with which headers and how long it may take, the exporter reads from the
 * environment (`OTEL_EXPORTER_OTLP_…`). That is whoever runs the server, so the guard of deliveries has no say in it.
 */
export const openTracing = ({ config, version, role, log }: TracingOptions): Tracing => {
  diag.setLogger(seldomWarning(log), DiagLogLevel.WARN)
  const named = { 'service.name': config.OTEL_SERVICE_NAME, 'service.version': version }
  const process = { 'service.instance.id': randomUUID(), 'waybill.role': role }
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ ...named, ...process }).merge(
      detectResources({ detectors: [resourceAttributesEnvDetector] }),
    ),
    sampler: samplerOf(config),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: 1_000 })],
  })
  const tracer = provider.getTracer('waybill', version)

  const begin = ({ name, kind, parent, facts = {} }: SpanOptions): Span => {
    const span = tracer.startSpan(name, { kind: kinds[kind], attributes: facts }, contextOf(parent))
    const traceparent = traceparentOf(span.spanContext())
    return {
      traceparent,
      set: (more) => void span.setAttributes(more),
      fail: (message) => void span.setStatus({ code: SpanStatusCode.ERROR, message }),
      end: () => span.end(),
      enter: (work) => enterSpan({ traceparent, begin }, work),
    }
  }
  return { begin, stop: () => provider.shutdown() }
}

const contextOf = (parent: string | null | undefined): Context => {
  const known = parseTraceparent(parent)
  return known === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...known, isRemote: true })
}

const samplerOf = ({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share }: TracingConfig): Sampler => {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler()
    case 'always_off':
      return new AlwaysOffSampler()
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(Number(share))
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() })
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() })
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(Number(share)) })
  }
}

/** A collector that is away is no reason to fill the log: one line a minute says so. */
const seldomWarning = (log: Logger) => {
  let saidAt = -Infinity
  const warn = (reason: string): void => {
    if (performance.now() - saidAt < minuteMs) return
    saidAt = performance.now()
    log.warn({ reason }, 'tracing.not_sent')
  }
  const nothing = (): void => undefined
  return { error: warn, warn, info: nothing, debug: nothing, verbose: nothing }
}
