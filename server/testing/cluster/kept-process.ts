import { setTimeout as sleep } from 'node:timers/promises'
import { startServer, type ServerProcess } from '../processes/server-process.ts'

/** A server that is started again whenever it has ended, as a service manager does. */
export interface KeptProcess {
  readonly name: string
  readonly origin: string
  /** Times that it ended by itself after it had been ready. */
  readonly ends: readonly string[]
  /** Resolves when it is ready for the first time. */
  readonly ready: Promise<void>
  /** SIGKILL. */
  kill(): Promise<void>
  /** SIGTERM, for good. @returns the exit status. */
  stop(): Promise<number | null>
}

export interface KeptProcessOptions {
  readonly name: string
  readonly role: 'api' | 'worker'
  readonly port: number
  readonly environment: Readonly<Record<string, string>>
  readonly directory: string
}

/** What systemd waits by default is a tenth of it; a start takes a second. */
const restartAfterMs = 1_000

export const keepProcess = (options: KeptProcessOptions): KeptProcess => {
  const { name, role, port, directory } = options
  const ends: string[] = []
  const first = Promise.withResolvers<void>()
  let current: ServerProcess | undefined
  const stopping = new AbortController()
  let isKilled = false

  const start = (): Promise<ServerProcess | undefined> =>
    startServer({ ...options.environment, PORT: String(port) }, directory, { args: ['--role', role] }).catch(
      // Without a database there is no start.
      () => undefined,
    )
  const keep = async (): Promise<void> => {
    for (; !stopping.signal.aborted; await sleep(restartAfterMs)) {
      isKilled = false
      const server = await start()
      if (server === undefined) continue
      current = server
      first.resolve()
      await server.gone
      current = undefined
      if (!isKilled && !stopping.signal.aborted) ends.push(`${name} ended by itself: ${server.errors.join('\n')}`)
    }
  }
  const keeping = keep()

  return {
    name,
    origin: `http://127.0.0.1:${port}`,
    ends,
    ready: first.promise,
    kill: async () => {
      isKilled = true
      await current?.kill()
    },
    stop: async () => {
      stopping.abort()
      const status = (await current?.stop()) ?? null
      await keeping
      return status
    },
  }
}
