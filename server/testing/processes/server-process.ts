import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { startProgram, type ProgramOptions } from './start-program.ts'

/** A server of its own process: `server/main.ts`, started as an operator would. */
export interface ServerProcess {
  readonly origin: string
  readonly pid: number
  /** SIGKILL: no goodbye. Resolves when the process is gone. */
  kill(): Promise<void>
  /** SIGTERM. @returns the exit status. */
  stop(): Promise<number | null>
  /** Log lines of level error and above, and what it wrote to stderr. */
  readonly errors: readonly string[]
  /** Resolves when it has ended, however it did. */
  readonly gone: Promise<unknown>
}

/** Every server that was started and has not ended, so that none outlives the tests, however they end. */
const running = new Set<number>()
process.on('exit', () => {
  for (const pid of running) process.kill(pid, 'SIGKILL')
})

/**
 * Starts a server on a free port and waits until it says that it is ready.
 * @param environment all it gets besides PATH and the port.
 * @param directory where it runs; its `.env` would be read.
 * @param more `flags` of Node.js, for one that lives longer than a test; `args` of the server, such as `--demo`.
 * @throws with what it said, when it ends instead.
 */
export const startServer = async (
  environment: Readonly<Record<string, string>>,
  directory: string,
  more: Pick<ProgramOptions, 'flags' | 'args'> = {},
): Promise<ServerProcess> => {
  const options = { directory, environment: { PORT: '0', ...environment }, ...more }
  const child = startProgram('server/main.ts', options)
  const { pid } = child
  if (pid === undefined) throw new Error('The server could not be started.')
  running.add(pid)
  const gone = once(child, 'exit').then(() => running.delete(pid))

  const errors: string[] = []
  const ready = new Promise<string>((resolve) => {
    eachLine(child.stderr, (line) => errors.push(line))
    eachLine(child.stdout, (line) => {
      if (/"level":[56]0/.test(line)) errors.push(line)
      const origin = /^Waybill is ready at (\S+)/.exec(line)?.[1]
      if (origin !== undefined) resolve(origin)
    })
  })
  const early = gone.then(() => {
    throw new Error(`The server ended before it was ready: ${errors.join('\n')}`)
  })
  early.catch(() => undefined)

  return {
    origin: await Promise.race([ready, early]),
    pid,
    errors,
    gone,
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
    async stop() {
      child.kill('SIGTERM')
      await gone
      return child.exitCode
    },
  }
}

const eachLine = (stream: Readable, use: (line: string) => void): void => {
  let rest = ''
  stream.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) use(line)
  })
}
