import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Engine } from '#platform/db/database.ts'
import { median, type Figure } from './figure.ts'
import { newDatabase, newDirectory } from './open-engine.ts'
import { scaled } from './scale.ts'

const runs = 3
const idleMs = (): number => scaled(10_000)
const root = fileURLToPath(new URL('..', import.meta.url))
export const megabyte = 1_048_576
const bareProgram = fileURLToPath(new URL('bare-database.ts', import.meta.url))

const mostMegabytes: Record<Engine, string> = { pglite: '≤ 400 MB', postgres: '≤ 180 MB' }

interface Start {
  readonly readyMs: number
  readonly idleBytes: number
}

/** Start with existing data until ready, and resident memory when idle, beside a process that has nothing but the database open. */
export const start = async (name: Engine): Promise<Figure[]> => {
  const directory = await newDirectory()
  const server = name === 'postgres' ? await newDatabase() : undefined
  const { directory: place } = directory.location
  const url = server?.location.url
  mkdirSync(join(place, 'data'))
  const environment = {
    PORT: '0',
    DATA_DIR: join(place, 'data'),
    LOG_LEVEL: 'warn',
    SECRET_KEY: 'a bench key of at least thirty-two characters',
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
    ...(url === undefined ? {} : { DATABASE_URL: url }),
  }
  const whole = () => measure([join(root, 'server/main.ts')], environment, place)
  const bareArguments = [bareProgram, join(place, 'data/database'), ...(url === undefined ? [] : [url])]
  const bare = () => measure(bareArguments, environment, place)

  // Makes the data and the compile cache.
  await whole()
  await bare()
  const starts: { whole: Start; bare: Start }[] = []
  for (let run = 0; run < runs; run++) starts.push({ whole: await whole(), bare: await bare() })
  await server?.remove()
  await directory.remove()

  const medianOf = (of: (run: (typeof starts)[number]) => number): number => median(starts.map(of))
  return [
    {
      name: `start to ready, existing data, ${name}`,
      unit: 'ms',
      value: medianOf((run) => run.whole.readyMs),
      limit: medianOf((run) => run.bare.readyMs),
      reach: '≤ 1,500 ms',
    },
    {
      name: `resident memory, idle, ${name}`,
      unit: 'MB',
      value: medianOf((run) => run.whole.idleBytes) / megabyte,
      limit: medianOf((run) => run.bare.idleBytes) / megabyte,
      reach: mostMegabytes[name],
    },
  ]
}

/** Runs a program until it says that it is ready, looks at it after a while, and ends it. */
const measure = async (
  programAndArguments: readonly string[],
  environment: Readonly<Record<string, string>>,
  directory: string,
): Promise<Start> => {
  const node = join(root, 'node_modules/.bin/node')
  const startedAt = performance.now()
  const child = spawn(
    node,
    ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8', ...programAndArguments],
    {
      cwd: directory,
      env: { PATH: process.env['PATH'] ?? '', ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const exited = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), exited])
  const readyMs = performance.now() - startedAt
  await sleep(idleMs())
  const idleBytes = residentBytes(child)
  child.kill('SIGTERM')
  await exited
  return { readyMs, idleBytes }
}

/** By /proc, so on Linux. @throws when the process has ended. */
export const residentBytes = ({ pid }: Pick<ChildProcess, 'pid'>): number => {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  if (kilobytes === undefined) throw new Error('The process ended too early.')
  return Number(kilobytes) * 1_024
}
