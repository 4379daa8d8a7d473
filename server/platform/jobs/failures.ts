import type { Logger } from 'pino'
import type { DefinedJob } from './defined-job.ts'
import type { JobMetrics } from './job-metrics.ts'
import { failuresQueue } from './queues.ts'

/**
 * The kind of job that reports jobs that failed for good: in the log, and to the definition of the job. A job of
 * its own, so that it happens also when the failure is that a process died, and is repeated until it was told.
 */
export const failuresOf = (
  jobs: ReadonlyMap<string, DefinedJob>,
  { log, metrics }: { readonly log: Logger; readonly metrics: JobMetrics },
): DefinedJob => ({
  name: failuresQueue,
  // The waits double without a limit, which pg-boss does not copy: all of them make up most of a day.
  attempts: 16,
  firstDelaySeconds: 1,
  longestDelaySeconds: 86_400,
  concurrency: 1,
  timeoutSeconds: 60,
  reportsFailure: false,
  run: async ({ data: envelope, output, retryCount, sourceRetryCount }) => {
    const failure = { id: envelope.id, reason: reasonOf(output) }
    if (retryCount === 0) {
      metrics.failed(envelope.job)
      log.error({ job: envelope.job, ...failure, attempts: (sourceRetryCount ?? 0) + 1 }, 'job.failed')
    }
    const job = jobs.get(envelope.job)
    // While processes are replaced one by one, some may not know it yet.
    if (job === undefined) throw new Error(`This process knows no job named ${envelope.job}.`)
    await job.failed(envelope.data, failure)
    return undefined
  },
  failed: async () => undefined,
})

/** `message` as we store it, or `value.message` as pg-boss does for a job whose process died. */
const reasonOf = (output: unknown): string => {
  const { message, value } = (output ?? {}) as { message?: string; value?: { message?: string } }
  return message ?? value?.message ?? 'unknown'
}
