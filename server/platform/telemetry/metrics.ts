import { collectDefaultMetrics, Registry } from 'prom-client'

/** The registry behind `/metrics`, with the process's own figures (memory, event loop, handles). */
export const makeRegistry = (): Registry => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'waybill_' })
  return registry
}
