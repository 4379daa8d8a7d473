import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseLocation } from '#platform/db/open.ts'
import { startServer } from '../processes/server-process.ts'
import { judgeLoad, ofEachEnvelope, type LoadJudgement } from './judge-load.ts'
import { startLedger } from './ledger.ts'
import { hookSecret, prepareServer, serverEnvironment } from './prepare-server.ts'
import { startSteadyLoad } from './steady-load.ts'
import { until, untilNothingPending } from './until.ts'

export interface ClockJumpsOptions {
  /** Where the server runs; an embedded one has its data in `data` there. */
  readonly directory: string
  /** The database of PostgreSQL; without it the embedded one. */
  readonly url?: string
  /** How far off the machine's time is after each jump, in milliseconds; the last should be 0. */
  readonly offsets: readonly number[]
  readonly random: () => number
}

export interface ClockJumpsReport extends LoadJudgement {
  /** From the last jump until nothing was pending. */
  readonly drainedMs: number
}

const clients = 2
const pauseMs = 20
/** A time lasts at least so long, and until so many packages were promised in it. */
const betweenMs = 500
const promisesBetween = 3
const shareRefused = 0.2

/** A real server under load on a machine whose time jumps: that of the process, and of an embedded database with it. */
export const runClockJumps = async ({
  directory,
  url,
  offsets,
  random,
}: ClockJumpsOptions): Promise<ClockJumpsReport> => {
  const clockFile = join(directory, 'clock')
  const jumpTo = (offset: number): void => writeFileSync(clockFile, String(offset))
  jumpTo(0)
  const ledger = await startLedger()
  ledger.answer((_arrival, response) => void response.writeHead(random() < shareRefused ? 500 : 200).end())
  const dataDir = join(directory, 'data')
  const environment = {
    ...serverEnvironment,
    ...(url === undefined ? {} : { DATABASE_URL: url }),
    DATA_DIR: dataDir,
    CHAOS_CLOCK_FILE: clockFile,
    NODE_OPTIONS: `--import ${new URL('jumping-date.ts', import.meta.url).href}`,
  }
  const server = await startServer(environment, directory)
  const { origin } = server
  const eventTypes = ofEachEnvelope
  const hooks = { eventTypes, receiverUrl: ledger.url, secret: hookSecret }
  const { authorization } = await prepareServer({ origin, ...hooks, locations: 1 })

  const load = startSteadyLoad({ origin, authorization, clients, pauseMs })
  for (const offset of offsets) {
    const promised = load.promised.length
    await sleep(betweenMs)
    await until(() => load.promised[promised + promisesBetween - 1])
    jumpTo(offset)
  }
  const jumpedAt = performance.now()
  await sleep(betweenMs)
  await load.stop()
  await untilNothingPending(origin, authorization)
  const drainedMs = Math.round(performance.now() - jumpedAt)
  const exitStatus = await server.stop()
  await ledger.close()

  const location: DatabaseLocation = { url, directory: join(dataDir, 'database'), poolSize: 2 }
  const judgement = await judgeLoad({ location, load, ledger })
  const ended = exitStatus === 0 ? [] : [`the server ended with ${exitStatus}`]
  return { ...judgement, drainedMs, problems: [...server.errors, ...ended, ...judgement.problems] }
}
