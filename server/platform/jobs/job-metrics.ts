import { Counter, Histogram, type Registry } from 'prom-client'

/** Counts what the jobs of this process came to; e-mail is the queue `mail`. */
export const makeJobMetrics = (registry: Registry) => {
  const attempts = new Histogram({
    name: 'waybill_job_seconds',
    help: 'Attempts of jobs and how long they took, by queue and outcome.',
    labelNames: ['queue', 'outcome'],
    buckets: [0.01, 0.05, 0.25, 1, 5, 30, 300],
    registers: [registry],
  })
  const failed = new Counter({
    name: 'waybill_jobs_failed_total',
    help: 'Jobs that failed for good, by queue.',
    labelNames: ['queue'],
    registers: [registry],
  })
  return {
    /** Shows 0 failures until there are some: a counter that first appears as 1 has never grown, to Prometheus. */
    known: (queue: string): void => failed.inc({ queue }, 0),
    attempted: (queue: string, outcome: 'done' | 'failed', ms: number): void =>
      attempts.observe({ queue, outcome }, ms / 1_000),
    failed: (queue: string): void => failed.inc({ queue }),
  }
}

export type JobMetrics = ReturnType<typeof makeJobMetrics>
