import { Counter, Histogram, type Registry } from 'prom-client'
import type { Finished } from './queue/finish.ts'
import { makeUpkeepGauges, type UpkeepMetrics } from './upkeep/upkeep-gauges.ts'

export interface DeliveryMetrics extends UpkeepMetrics {
  written(ended: readonly Finished[]): void
}

export const makeDeliveryMetrics = (registry: Registry): DeliveryMetrics => {
  const attempts = new Counter({
    name: 'waybill_delivery_attempts_total',
    help: 'Attempts by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'waybill_delivery_attempt_seconds',
    help: 'Duration of attempts.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers: [registry],
  })
  return {
    ...makeUpkeepGauges(registry),
    written(ended) {
      for (const { outcome, durationMs } of ended) {
        attempts.inc({ outcome })
        seconds.observe(durationMs / 1_000)
      }
    },
  }
}
