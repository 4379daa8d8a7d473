import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import type { Surroundings, DatabaseTrouble } from './database-trouble.ts'
import { startServer } from '../processes/server-process.ts'
import { judgeLoad, ofEachEnvelope, type LoadJudgement } from './judge-load.ts'
import { startLedger, type Ledger } from './ledger.ts'
import { hookSecret, prepareServer, serverEnvironment } from './prepare-server.ts'
import { startSteadyLoad, type SteadyLoad } from './steady-load.ts'
import { until, untilNothingPending } from './until.ts'

export interface DatabaseTroubleOptions extends Surroundings {
  /** The database, by its direct address. */
  readonly url: string
  /** Where the server runs. */
  readonly directory: string
  readonly troubles: readonly DatabaseTrouble[]
  /** Between an answer and the next request of a client. */
  readonly pauseMs?: number
}

export interface TroubleOutcome {
  readonly trouble: string
  /** From its end until the first promise and until the first delivery of something promised after it. */
  readonly promisedAfterMs: number
  readonly deliveredAfterMs: number
  /** What `/readyz` said meanwhile, and at last. */
  readonly readiness: readonly number[]
}

export interface DatabaseTroublesReport extends LoadJudgement {
  readonly outcomes: readonly TroubleOutcome[]
  /** How many answers of each status. */
  readonly statuses: Readonly<Record<string, number>>
}

const clients = 8
/** Between troubles there is at least so much time, and a promise for each client. */
const calmMs = 500

/** A real server under load, whose database gets into one trouble after the other. */
export const runDatabaseTroubles = async (options: DatabaseTroubleOptions): Promise<DatabaseTroublesReport> => {
  const ledger = await startLedger()
  const url = new URL(options.url)
  url.port = String(options.network.port)
  const environment = { ...serverEnvironment, DATABASE_URL: url.href, DATA_DIR: options.directory }
  const server = await startServer({ ...environment, LOG_LEVEL: 'fatal' }, options.directory)
  const { origin } = server
  const hooks = { eventTypes: ofEachEnvelope, receiverUrl: ledger.url, secret: hookSecret }
  const { authorization } = await prepareServer({ origin, ...hooks, locations: 1 })
  const load = startSteadyLoad({ origin, authorization, clients, pauseMs: options.pauseMs ?? 20 })

  const outcomes: TroubleOutcome[] = []
  for (const trouble of options.troubles) {
    const promised = load.promised.length
    await sleep(calmMs)
    await until(() => load.promised[promised + clients - 1])
    outcomes.push(await meet(trouble, { ...options, origin, load, ledger }))
  }
  await load.stop()
  await untilNothingPending(origin, authorization)
  const exitStatus = await server.stop()
  await ledger.close()

  const location = { url: options.url, directory: '', poolSize: 2 }
  const judgement = await judgeLoad({ location, load, ledger })
  const ended = exitStatus === 0 ? [] : [`the server ended with ${exitStatus}`]
  const problems = [...server.errors, ...ended, ...judgement.problems]
  return { ...judgement, outcomes, statuses: Object.fromEntries(load.statuses), problems }
}

interface Scene extends Surroundings {
  readonly origin: string
  readonly load: SteadyLoad
  readonly ledger: Ledger
}

const meet = async (trouble: DatabaseTrouble, scene: Scene): Promise<TroubleOutcome> => {
  const { origin, load, ledger } = scene
  const readiness: number[] = []
  const over = new AbortController()
  const watching = (async () => {
    for (; !over.signal.aborted; await sleep(50)) readiness.push(await readyStatus(origin))
  })()
  await trouble.happen(scene)
  const endedAt = performance.now()
  const promise = await until(() => load.promised.find(({ at }) => at > endedAt))
  const mark = `"id":${promise.packageId},`
  const arrival = await until(() => ledger.arrivals.find(({ body, at }) => at > endedAt && body.includes(mark)))
  await until(async () => ((await readyStatus(origin)) === 200 ? true : undefined))
  over.abort()
  await watching
  readiness.push(200)
  return {
    trouble: trouble.name,
    promisedAfterMs: Math.round(promise.at - endedAt),
    deliveredAfterMs: Math.round(arrival.at - endedAt),
    readiness: readiness.filter((status, index) => status !== readiness[index - 1]),
  }
}

/** 0: no answer in time. */
const readyStatus = async (origin: string): Promise<number> => {
  try {
    const answer = await request(`${origin}/readyz`, { headersTimeout: 5_000 })
    await answer.body.dump()
    return answer.statusCode
  } catch {
    return 0
  }
}
