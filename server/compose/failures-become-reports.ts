import type { Logger } from 'pino'
import type { Ends } from '#delivery/ends/ends.ts'
import type { Db } from '#platform/db/database.ts'
import type { Service } from '#platform/supervisor.ts'
import { makeTellEnds, type TellEndsDeps } from './tell-ends.ts'

export interface FailuresBecomeReportsDeps extends TellEndsDeps {
  readonly db: Db
  readonly log: Logger
  readonly ends: Ends
  readonly lookEveryMs?: number
}

/** What other processes ended is looked for so often. With nothing to do, a look is one small query. */
const defaultLookEveryMs = 1_000

/**
 * Makes reports of deliveries that failed for good, and resolves those of what arrived after all, in processes that
 * work: at once of what this process ended, and a second later of what others did.
 */
export const makeFailuresBecomeReports = (deps: FailuresBecomeReportsDeps): Service => {
  const { db, clock, ends, log, lookEveryMs = defaultLookEveryMs } = deps
  const tellEnds = makeTellEnds(deps)
  let isOn = false
  let isWanted = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  const lookOnce = async (): Promise<void> => {
    try {
      if (await ends.any(db, clock.now())) await tellEnds(() => isOn)
    } catch (error) {
      log.error({ err: error }, 'failures.look_failed')
    }
  }
  const mayLook = (): boolean => isOn && isWanted
  const look = async (): Promise<void> => {
    while (mayLook()) {
      isWanted = false
      await lookOnce()
    }
    running = undefined
  }
  const kick = (): void => {
    if (!isOn) return
    isWanted = true
    running ??= look()
  }
  ends.onEnded(kick)

  return {
    name: 'failures become reports',
    async start() {
      isOn = true
      timer = setInterval(kick, lookEveryMs)
      kick()
    },
    async stop() {
      isOn = false
      clearInterval(timer)
      await running
    },
  }
}
