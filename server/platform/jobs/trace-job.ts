import type { JobResult, JobWithMetadata } from 'pg-boss'
import { runSpan, type Tracing } from '../tracing/tracing.ts'
import type { Envelope } from './defined-job.ts'

/** Runs an attempt of a job in a span of the trace in which it was enqueued. */
export const traceJob = (
  tracing: Tracing | undefined,
  { name, data: { id, traceparent }, retryCount }: JobWithMetadata<Envelope>,
  run: () => Promise<JobResult>,
): Promise<JobResult> => {
  if (tracing === undefined) return run()
  const facts = { 'waybill.job': name, 'waybill.job.id': id, 'waybill.attempt': retryCount + 1 }
  return runSpan(tracing.begin({ name: `job ${name}`, kind: 'consumer', parent: traceparent, facts }), async (span) => {
    const result = await run()
    span.set({ 'waybill.outcome': result.status })
    if (result.status !== 'completed') span.fail(result.status)
    return result
  })
}
