import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../tools/free-port.ts'
import { judgeLoad, type LoadJudgement } from '../chaos/judge-load.ts'
import { startLedger } from '../chaos/ledger.ts'
import { hookSecret, prepareServer, serverEnvironment } from '../chaos/prepare-server.ts'
import { untilNothingPending } from '../chaos/until.ts'
import type { ClusterTrouble } from './cluster-trouble.ts'
import { raisedType, startEventLoad } from './event-load.ts'
import { keepProcess, type KeptProcess } from './kept-process.ts'
import type { Cluster } from './start-cluster.ts'

export interface ClusterRunOptions {
  readonly cluster: Cluster
  /** Where the servers run. */
  readonly directory: string
  readonly troubles: Iterable<ClusterTrouble>
  readonly random: () => number
  readonly clients: number
  readonly pauseMs: number
  readonly say?: (line: string) => void
}

/** Longest times in seconds. */
export interface Pauses {
  /** Without a 2xx answer to anybody. */
  readonly answers: number
  /** Without a request to a receiver. */
  readonly deliveries: number
}

export interface ClusterReport extends LoadJudgement {
  /** Of each trouble, from its begin until the next one. */
  readonly pauses: readonly (Pauses & { readonly trouble: string })[]
  readonly slowestAnswerSeconds: number
  /** How many answers of each status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly broken: number
  readonly killed: number
}

const apis = 2
const workers = 3
/** With nothing but load, so that a pause is of the trouble before it. */
const calmMs = 3_000

/** Two processes that answer and three that deliver, under load, on a cluster that gets into one trouble after the other. */
export const runCluster = async (options: ClusterRunOptions): Promise<ClusterReport> => {
  const { cluster, troubles, random, clients, pauseMs, say = () => undefined } = options
  const ledger = await startLedger()
  const processes = await startProcesses(options)
  const { origin } = cluster
  const eventTypes = [raisedType, raisedType]
  const hooks = { eventTypes, receiverUrl: ledger.url, secret: hookSecret }
  const { authorization } = await prepareServer({ origin, ...hooks, locations: 0 })
  const load = startEventLoad({ origin, authorization, clients, pauseMs })

  let killed = 0
  const begins: { readonly trouble: string; readonly at: number }[] = []
  for (const trouble of troubles) {
    await sleep(calmMs)
    begins.push({ trouble: trouble.name, at: performance.now() })
    say(trouble.name)
    const killProcess = async (): Promise<void> => {
      killed += 1
      await processes[Math.floor(random() * processes.length)]?.kill()
    }
    await trouble.happen({ cluster, killProcess })
    await cluster.whole()
  }
  await sleep(calmMs)
  const endedAt = performance.now()
  await load.stop()
  await untilNothingPending(origin, authorization)
  const statuses = await Promise.all(processes.map((one) => one.stop()))
  await ledger.close()

  const judgement = await judgeLoad({ location: { url: cluster.url, directory: '', poolSize: 2 }, load, ledger })
  const pauses = begins.map(({ trouble, at }, index) => {
    const until = begins[index + 1]?.at ?? endedAt
    return {
      trouble,
      answers: longestGap(load.promised, at, until),
      deliveries: longestGap(ledger.arrivals, at, until),
    }
  })
  const unclean = statuses.flatMap((status, index) =>
    status === 0 ? [] : [`${processes[index]?.name} ended with ${status}`],
  )
  return {
    ...judgement,
    pauses,
    slowestAnswerSeconds: seconds(load.slowestAnswerMs),
    statuses: Object.fromEntries(load.statuses),
    broken: load.broken,
    killed,
    problems: [...processes.flatMap(({ ends }) => ends), ...unclean, ...judgement.problems],
  }
}

const startProcesses = async ({ cluster, directory }: ClusterRunOptions): Promise<readonly KeptProcess[]> => {
  const environment = { ...serverEnvironment, DATABASE_URL: cluster.url, DATA_DIR: directory, LOG_LEVEL: 'fatal' }
  const processes: KeptProcess[] = []
  for (let index = 0; index < apis + workers; index++) {
    const port = cluster.apiPorts[index]
    const role = port === undefined ? 'worker' : 'api'
    const kept = keepProcess({
      name: `${role} ${index + 1}`,
      role,
      port: port ?? (await freePort()),
      environment,
      directory,
    })
    processes.push(kept)
    // The first one migrates.
    if (index === 0) await kept.ready
  }
  await Promise.all(processes.map(({ ready }) => ready))
  return processes
}

const longestGap = (times: readonly { readonly at: number }[], from: number, until: number): number => {
  const within = times.map(({ at }) => at).filter((at) => at > from && at < until)
  const marks = [from, ...within.toSorted((a, b) => a - b), until]
  return seconds(Math.max(...marks.slice(1).map((mark, index) => mark - (marks[index] ?? mark))))
}

const seconds = (ms: number): number => Math.round(ms / 100) / 10
