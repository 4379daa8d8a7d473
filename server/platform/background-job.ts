import type { Logger } from 'pino'
import { makePeriodic } from './periodic.ts'
import type { Service } from './supervisor.ts'

export interface BackgroundJob {
  readonly name: string
  readonly everyMs: number
  readonly log: Logger
  /** May take long: it looks at the signal between its steps, and ends early once that is aborted. */
  readonly run: (signal: AbortSignal) => Promise<unknown>
}

/** A periodic job whose first run the start does not wait for, and whose run under way a stop cuts short. */
export const makeBackgroundJob = ({ name, everyMs, log, run }: BackgroundJob): Service => {
  const stopping = new AbortController()
  const periodic = makePeriodic({ name, everyMs, log, run: () => run(stopping.signal) })
  let started: Promise<void> | undefined
  return {
    name,
    start: async () => {
      started = periodic.start()
    },
    stop: async () => {
      stopping.abort()
      await started
      await periodic.stop()
    },
  }
}
