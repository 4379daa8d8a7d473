import { spawn, type ChildProcess } from 'node:child_process'
import { delimiter, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const running = new Set<ChildProcess>()

/** The pinned tools first, the pinned Node.js among them, whatever the machine has. */
const environment = { ...process.env, PATH: [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter) }

let isInterrupted = false

/** Ends what runs, which counts as failed; nothing more is begun. The caller goes on to clean up. */
const endAll = (signal: NodeJS.Signals): void => {
  isInterrupted = true
  for (const child of running) child.kill(signal)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, endAll)

interface RunOptions {
  readonly quiet?: boolean
  readonly env?: Record<string, string>
  readonly directory?: string
}

export interface Outcome {
  readonly isOk: boolean
  /** Both streams, in the order in which they came; empty when they went to the terminal. */
  readonly output: string
}

/** Runs one of the project's tools to its end, in the project unless it is told where. `quiet` keeps what it prints instead of showing it. */
export const run = (
  command: string,
  args: readonly string[],
  { quiet = false, env = {}, directory = root }: RunOptions = {},
): Promise<Outcome> =>
  new Promise((resolve) => {
    if (isInterrupted) return resolve({ isOk: false, output: 'interrupted' })
    const child = spawn(command, args, {
      cwd: directory,
      env: { ...environment, ...env },
      stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
    })
    running.add(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => (output += text))
    child.on('error', (error) => resolve({ isOk: false, output: `${command}: ${error.message}\n` }))
    child.on('close', (code) => {
      running.delete(child)
      resolve({ isOk: code === 0, output })
    })
  })
