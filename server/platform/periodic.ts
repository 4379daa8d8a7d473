import type { Logger } from 'pino'
import type { Service } from './supervisor.ts'

export interface PeriodicOptions {
  readonly name: string
  readonly everyMs: number
  readonly log: Logger
  /** Runs at start and then again and again; a run that fails is logged and the next one comes as planned. */
  readonly run: () => Promise<unknown>
}

/** A small job that has to happen now and then in every process, harmless when several do it at once. */
export const makePeriodic = ({ name, everyMs, log, run }: PeriodicOptions): Service => {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  const runOnce = async (): Promise<void> => {
    try {
      await run()
    } catch (error) {
      log.error({ err: error, job: name }, 'periodic.failed')
    }
  }
  return {
    name,
    async start() {
      await runOnce()
      timer = setInterval(() => {
        running = running.then(runOnce)
      }, everyMs)
    },
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
