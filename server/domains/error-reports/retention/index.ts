import { makeLoop } from '#platform/loop.ts'
import type { Service } from '#platform/supervisor.ts'
import { removeOld, type RetentionDeps } from './remove-old.ts'

export type { RetentionDeps } from './remove-old.ts'

const hourMs = 3_600_000

/** Keeps error reports from growing for ever; for processes that work. */
export const makeRetention = (deps: RetentionDeps): Service =>
  makeLoop({
    name: 'error-report-retention',
    everyMs: hourMs,
    log: deps.log,
    run: (signal) => removeOld(deps, signal),
  })
