import { makeLoop } from '#platform/loop.ts'
import type { Service } from '#platform/supervisor.ts'
import { measureBacklog } from './backlog.ts'
import { analyzeGrownTables } from './grown-tables.ts'
import { makeInvariantChecker } from './invariants.ts'
import { makeRetention } from './retention.ts'
import type { UpkeepOptions } from './upkeep-gauges.ts'

const measureEveryMs = 15_000
const analyzeEveryMs = 2_000

/** Keeps the engine's tables true and small, and says so in its metrics; for processes that deliver. */
export const makeUpkeep = (options: UpkeepOptions): readonly Service[] => {
  const { db, clock, log, metrics } = options
  const measure = async (): Promise<void> => {
    const now = clock.now()
    metrics.backlog(await measureBacklog(db, now), now)
  }
  return [
    makeLoop({ name: 'backlog', everyMs: measureEveryMs, log, run: measure }),
    makeLoop({ name: 'grown-tables', everyMs: analyzeEveryMs, log, run: () => analyzeGrownTables(db) }),
    makeInvariantChecker(options),
    makeRetention(options),
  ]
}
