import type { Logger } from 'pino'
import type { Service } from './supervisor.ts'

/** Work that a clock asks for, and whoever knows that there is some. One run at a time, in this process. */
export interface Loop extends Service {
  /** Asks for a run at once; during a run, for another one after it. Does nothing while the loop is stopped. */
  kick(): void
  /** Resolves when no run is under way. */
  idle(): Promise<void>
}

/** A loop whose start waits for its first run. */
export const startingWithRun = (loop: Loop): Loop => ({
  ...loop,
  async start() {
    await loop.start()
    loop.kick()
    await loop.idle()
  },
})

export interface LoopOptions {
  readonly name: string
  /** Longest time between the end of a run and the next one; without it only kicks ask for runs. */
  readonly everyMs?: number
  readonly log: Logger
  /** May take long: it looks at the signal between its steps, and ends early once that is aborted. One that fails is logged. */
  readonly run: (signal: AbortSignal) => Promise<unknown>
  /** After a run, the time until the next one is due: it comes then if that is sooner than `everyMs`. */
  readonly dueInMs?: () => Promise<number>
}

/** Runs that are this far apart wait for the end of a server's start, which is slow when all of them begin in it. */
const seldomMs = 10_000
const firstSeldomMs = 1_000

/**
 * Makes a loop. Its start begins the first run, or a second later where runs are seldom, and does not wait for it; its
 * stop cuts short the run under way.
 */
export const makeLoop = ({ name, everyMs = Infinity, log, run, dueInMs = async () => everyMs }: LoopOptions): Loop => {
  let stopping = AbortSignal.abort()
  let abort = (): void => undefined
  let isWanted = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  /** @returns the time until the next run. */
  const runOnce = async (): Promise<number> => {
    try {
      await run(stopping)
      return Math.min(await dueInMs(), everyMs)
    } catch (error) {
      log.error({ err: error, loop: name }, 'loop.failed')
      return everyMs
    }
  }
  const runWanted = async (): Promise<void> => {
    let waitMs = everyMs
    while (isWanted && !stopping.aborted) {
      isWanted = false
      waitMs = await runOnce()
    }
    // In the same tick as the last look at `isWanted`, or a kick in between would be lost.
    running = undefined
    if (!stopping.aborted && waitMs < Infinity) timer = setTimeout(kick, waitMs)
  }
  const kick = (): void => {
    if (stopping.aborted) return
    clearTimeout(timer)
    isWanted = true
    running ??= runWanted()
  }

  return {
    name,
    kick,
    idle: async () => running,
    async start() {
      const controller = new AbortController()
      stopping = controller.signal
      abort = () => controller.abort()
      if (everyMs >= seldomMs && everyMs < Infinity) timer = setTimeout(kick, firstSeldomMs)
      else kick()
    },
    async stop() {
      abort()
      clearTimeout(timer)
      await running
    },
  }
}
