import type { JobResult, JobWithMetadata } from 'pg-boss'
import type { Logger } from 'pino'
import type { DefinedJob, Envelope } from './defined-job.ts'
import type { JobMetrics } from './job-metrics.ts'

/**
 * Makes one attempt. What the handler throws is a failed attempt, and so is time that is up (the job's own signal) and
 * a process that stops (`cutOff`): those do not wait for a handler that does not heed its signal.
 * @returns how the job goes on: `failed` is tried again if attempts are left, `deadletter` is not.
 */
export const runJob = async (
  job: DefinedJob,
  attempt: JobWithMetadata<Envelope>,
  { log, metrics, cutOff }: { readonly log: Logger; readonly metrics: JobMetrics; readonly cutOff: AbortSignal },
): Promise<JobResult> => {
  const { id, data, retryCount } = attempt
  const facts = { job: job.name, id: data.id, attempt: retryCount + 1 }
  const signal = AbortSignal.any([attempt.signal, cutOff])
  const startedAt = performance.now()
  const count = (result: 'done' | 'failed'): void => metrics.attempted(job.name, result, performance.now() - startedAt)
  try {
    const outcome = await Promise.race([job.run(attempt, signal), abortOf(signal)])
    count(outcome === undefined ? 'done' : 'failed')
    if (outcome !== undefined) return { id, status: 'deadletter', output: { message: outcome.giveUp } }
    log.debug(facts, 'job.done')
    return { id, status: 'completed' }
  } catch (error) {
    count('failed')
    log.warn({ ...facts, err: error }, 'job.attempt_failed')
    // The message only: errors carry whatever their makers put on them, and this is stored.
    const message = error instanceof Error ? error.message : String(error)
    // What a report of a failure has as its output is the reason it reports.
    return { id, status: 'failed', output: job.reportsFailure ? { message } : attempt.output }
  }
}

const abortOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
