import type { Logger } from 'pino'

/** A part of the process with a life of its own: a loop, a listener, a pool. */
export interface Service {
  readonly name: string
  start(): Promise<void>
  /** Stops taking work, finishes what is in flight, releases the rest. Resolves when done. */
  stop(): Promise<void>
}

/** Ends a start with a message that says all that whoever started the server needs. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused'
}

/** Runs services in a fixed order: what comes later may use what comes before it, so it also stops first. */
export const makeSupervisor = (services: readonly Service[], log: Logger, deadlineMs = 12_000) => {
  const running: Service[] = []

  const stopAll = async (): Promise<void> => {
    for (let service = running.pop(); service !== undefined; service = running.pop()) {
      await stopOne(service)
    }
  }
  const stopOne = async (service: Service): Promise<void> => {
    const { promise: late, resolve } = Promise.withResolvers<'late'>()
    const timer = setTimeout(() => resolve('late'), deadlineMs)
    try {
      if ((await Promise.race([service.stop(), late])) === 'late')
        log.error({ service: service.name }, 'service.stop_timeout')
      else log.debug({ service: service.name }, 'service.stopped')
    } catch (error) {
      log.error({ service: service.name, err: error }, 'service.stop_failed')
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    /** Starts the services in order; when one fails, stops those already started and throws. */
    async start(): Promise<void> {
      for (const service of services) {
        try {
          await service.start()
          running.push(service)
        } catch (error) {
          await stopAll()
          if (error instanceof StartRefused) throw error
          throw new Error(
            `${service.name} could not start: ${error instanceof Error ? error.message : String(error)}`,
            { cause: error },
          )
        }
      }
    },
    /** Stops in reverse order. A service that does not stop in its share of the deadline is left behind, with a log line. */
    stop: stopAll,
  }
}

export type Supervisor = ReturnType<typeof makeSupervisor>
