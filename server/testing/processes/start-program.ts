import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

export interface ProgramOptions {
  readonly args?: readonly string[]
  /** Where it runs; its `.env` would be read. */
  readonly directory: string
  /** All it gets besides PATH. */
  readonly environment: Readonly<Record<string, string | undefined>>
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

/** Starts a program of this project, such as `server/main.ts`, as its script in package.json does. */
export const startProgram = (
  program: string,
  { args = [], directory, environment, flags = shortLived }: ProgramOptions,
): ChildProcessByStdio<null, Readable, Readable> =>
  spawn(node, [...flags, join(root, program), ...args], {
    cwd: directory,
    // What was compiled once starts faster.
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
