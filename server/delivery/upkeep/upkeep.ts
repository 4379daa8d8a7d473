import type { Logger } from 'pino'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { makeLoop } from '#platform/loop.ts'
import type { Service } from '#platform/supervisor.ts'
import { measureBacklog } from './backlog.ts'
import { makeInvariantChecker } from './invariants.ts'
import { makeRetention } from './retention.ts'
import type { UpkeepMetrics } from './upkeep-gauges.ts'

export interface UpkeepOptions {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: UpkeepMetrics
  /** Days that events and their deliveries are kept. */
  readonly eventDays: number
  /** Days that attempts are kept. */
  readonly attemptDays: number
}

const measureEveryMs = 15_000

/** What keeps the engine's tables true and small, and says so in its metrics; for processes that deliver. */
export const makeUpkeep = (options: UpkeepOptions): readonly Service[] => {
  const { db, clock, log, metrics } = options
  const measure = async (): Promise<void> => {
    const now = clock.now()
    metrics.backlog(await measureBacklog(db, now), now)
  }
  return [
    makeLoop({ name: 'backlog', everyMs: measureEveryMs, log, run: measure }),
    makeInvariantChecker(options),
    makeRetention(options),
  ]
}
