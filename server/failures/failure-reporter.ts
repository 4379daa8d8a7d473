import { isReportable, type AttemptResult } from '#delivery/queue/finish.ts'
import { makeLoop } from '#platform/loop.ts'
import { makeReportResults, type ReportResultsDeps } from './report-results.ts'
import { hasResults } from './unreported-store.ts'

/** How often results that other processes wrote are looked for. With nothing to do, a look is one small query. */
const lookEveryMs = 1_000

/**
 * Makes reports of deliveries that failed for good, and resolves those of what arrived after all, in processes that
 * work: at once for what this process wrote, and a second later for what others did.
 */
export const makeFailureReporter = (deps: ReportResultsDeps) => {
  const { db, clock, log } = deps
  const reportResults = makeReportResults(deps)
  const loop = makeLoop({
    name: 'failure reports',
    everyMs: lookEveryMs,
    log,
    run: async (signal) => {
      if (await hasResults(db, clock.now())) await reportResults(signal)
    },
  })
  return {
    ...loop,
    /** Call with the attempts that this process has written: what has to be reported of them is reported at once. */
    notice: (written: readonly AttemptResult[]): void => {
      if (written.some(isReportable)) loop.kick()
    },
  }
}
