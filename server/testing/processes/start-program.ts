import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'

export interface ProgramOptions {
  readonly args?: readonly string[]
  /** Where it runs; its `.env` would be read. */
  readonly directory: string
  /** All it gets besides PATH. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** A file that it reads as its standard input; without one there is none. */
  readonly input?: number
  /** Of Node.js. */
  readonly flags?: readonly string[]
}

const root = join(import.meta.dirname, '../../..')
const node = join(root, 'node_modules/.bin/node')
const shortLived = [
  '--disable-warning=ExperimentalWarning',
  // Such a process lives for seconds. Its embedded database would be compiled again meanwhile, for a long life,
  // which is a third of all that it computes.
  '--liftoff-only',
]

/** Files of the programs that were bundled for this run of the tests, by their names. */
const bundled = JSON.parse(process.env['TEST_PROGRAMS'] ?? '{}') as Readonly<Record<string, string>>

/** Starts a program of this project, such as `server/main.ts`, as its script in package.json does, or what it was bundled to. */
export const startProgram = (
  program: string,
  { args = [], directory, environment, input, flags = shortLived }: ProgramOptions,
): ChildProcessByStdio<null, Readable, Readable> => {
  const file = bundled[program]
  return spawn(node, [...flags, file ?? join(root, program), ...args], {
    cwd: directory,
    // What was compiled once starts faster.
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: join(file === undefined ? join(root, 'node_modules/.cache') : dirname(file), 'compiled'),
      ...environment,
    },
    // A file is no stream of ours either way, which the types do not know.
    stdio: [(input ?? 'ignore') as 'ignore', 'pipe', 'pipe'],
  })
}
