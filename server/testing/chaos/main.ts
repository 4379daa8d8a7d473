// npm run chaos: makes trouble of every kind, at random, and counts what is lost.
import { parseArgs } from 'node:util'
import type { Engine } from '#platform/db/database.ts'
import { seededRandom } from '#platform/seeded-random.ts'
import { openOwnPostgres } from './places.ts'
import { runClusterChaos } from '../cluster/run-cluster-chaos.ts'
import { rounds, type Kind, type Round } from './rounds.ts'

const usage = 'npm run chaos -- [--minutes 1] [--engine postgres|embedded|both] [--seed 1] [cluster]'
const engines: Record<string, readonly Engine[]> = {
  postgres: ['postgres'],
  embedded: ['pglite'],
  both: ['postgres', 'pglite'],
}

const readOptions = () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      minutes: { type: 'string', default: '1' },
      engine: { type: 'string', default: 'both' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000_000)) },
    },
  })
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)]
  const chosen = engines[values.engine]
  const isCluster = positionals[0] === 'cluster'
  if (positionals.length > (isCluster ? 1 : 0)) throw new Error(usage)
  if (!(minutes > 0) || !Number.isSafeInteger(seed) || chosen === undefined) throw new Error(usage)
  return { minutes, seed, chosen, isCluster }
}

type Plan = readonly [Kind, Engine]

/** Every kind on every engine, in another order each time. */
const deal = (chosen: readonly Engine[], random: () => number): Plan[] => {
  const plans = chosen.flatMap((engine) => Object.keys(rounds).map((kind): Plan => [kind as Kind, engine]))
  return plans
    .filter(([kind, engine]) => kind !== 'database' || engine === 'postgres')
    .map((plan) => ({ plan, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ plan }) => plan)
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const sayRound = (round: Round): void => {
  const { what, engine, acknowledged, lost, repeated, recoveredMs, problems } = round
  const times = Object.values(repeated).reduce((sum, count) => sum + count, 0)
  say(`${engine.padEnd(8)} ${what}`)
  say(
    `         acknowledged ${acknowledged}, lost ${lost}, repeated ${times}, recovered in ${Math.round(recoveredMs)} ms`,
  )
  for (const problem of problems) say(`         PROBLEM ${problem}`)
}

const main = async (): Promise<void> => {
  const { minutes, seed, chosen, isCluster } = readOptions()
  say(`seed ${seed}`)
  const random = seededRandom(seed)
  if (isCluster) {
    process.exitCode = (await runClusterChaos({ minutes, random, say })) ? 0 : 1
    return
  }
  const postgres = chosen.includes('postgres') ? await openOwnPostgres() : undefined
  const done: Round[] = []
  try {
    let plans: Plan[] = []
    for (const endAt = performance.now() + minutes * 60_000; performance.now() < endAt;) {
      if (plans.length === 0) plans = deal(chosen, random)
      const [kind, engine] = plans.shift() ?? ['crashes', 'pglite']
      const round = await rounds[kind]({ engine, postgres, random })
      done.push(round)
      sayRound(round)
    }
  } finally {
    await postgres?.close()
  }
  report(done, seed)
}

const report = (done: readonly Round[], seed: number): void => {
  const total = (of: (round: Round) => number): number => done.reduce((sum, round) => sum + of(round), 0)
  const repeated: Record<string, number> = {}
  for (const [cause, count] of done.flatMap((round) => Object.entries(round.repeated)))
    if (count > 0) repeated[cause] = (repeated[cause] ?? 0) + count
  const figures = {
    seed,
    rounds: done.length,
    kills: total(({ kills }) => kills),
    outages: total(({ outages }) => outages),
    acknowledged: total(({ acknowledged }) => acknowledged),
    delivered: total(({ delivered }) => delivered),
    lost: total(({ lost }) => lost),
    repeated,
    worstRecoveryMs: Math.round(Math.max(0, ...done.map(({ recoveredMs }) => recoveredMs))),
    problems: total(({ problems }) => problems.length),
  }
  say('')
  for (const [name, value] of Object.entries(figures))
    say(`${name.padEnd(16)} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
  say(JSON.stringify(figures))
  if (figures.lost + figures.problems > 0) process.exitCode = 1
}

await main()
