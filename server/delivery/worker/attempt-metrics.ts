import { Counter, Histogram, type Registry } from 'prom-client'
import type { AttemptResult } from '../queue/finish.ts'
import { attemptOutcomes } from '../tables/tables.ts'

/** Counts attempt results that were written. */
export const makeAttemptMetrics = (registry: Registry) => {
  const attempts = new Counter({
    name: 'waybill_delivery_attempts_total',
    help: 'Attempts by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  // A counter that first appears as 1 has never grown, to Prometheus.
  for (const outcome of attemptOutcomes) attempts.inc({ outcome }, 0)
  const seconds = new Histogram({
    name: 'waybill_delivery_attempt_seconds',
    help: 'Duration of attempts.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers: [registry],
  })
  return {
    written(results: readonly AttemptResult[]): void {
      for (const { outcome, durationMs } of results) {
        attempts.inc({ outcome })
        seconds.observe(durationMs / 1_000)
      }
    },
  }
}

export type AttemptMetrics = ReturnType<typeof makeAttemptMetrics>
