import { hourMs } from '#platform/clock.ts'
import { join } from 'node:path'
import type { Engine } from '#platform/db/database.ts'
import { migrate, readMigrations } from '#platform/db/migrate.ts'
import { openDatabase, type DatabaseLocation } from '#platform/db/open.ts'
import { crashAtSteps } from './crash-at-steps.ts'
import { databaseTroubles } from './database-trouble.ts'
import { inDirectory, type OwnPostgres } from './places.ts'
import { runClockJumps } from './run-clock-jumps.ts'
import { runDatabaseTroubles } from './run-database-troubles.ts'
import { runReceiverTroubles } from './run-receiver-troubles.ts'
import { steps } from './steps.ts'

/** What one round of trouble came to. */
export interface Round {
  readonly what: string
  readonly engine: Engine
  /** Processes that were killed, and times that the database or the way to it failed. */
  readonly kills: number
  readonly outages: number
  /** Events that somebody was promised, or that are stored. */
  readonly acknowledged: number
  readonly delivered: number
  readonly lost: number
  /** Cause → requests for something that had arrived already. */
  readonly repeated: Readonly<Record<string, number>>
  /** Longest time from the end of a trouble until everything went on. */
  readonly recoveredMs: number
  readonly problems: readonly string[]
}

export interface RoundOptions {
  readonly engine: Engine
  readonly postgres: OwnPostgres | undefined
  readonly random: () => number
}

export type Kind = 'crashes' | 'database' | 'receivers' | 'clock'

const stepsOfRound = 5
const troublesOfRound = 2
const jumpsOfRound = 4
const troubleMs = 3_000
const jumpsMs = [-24, -1, 0, 1, 24].map((hours) => hours * hourMs)

/** One round of each kind of trouble, chosen by `random`. */
export const rounds: Record<Kind, (options: RoundOptions) => Promise<Round>> = {
  crashes: (options) =>
    inDirectory(async (directory) => {
      const { engine, random } = options
      const possible = steps.filter(({ trouble }) => trouble === 'kill' || engine === 'postgres')
      const chosen = pick(possible, stepsOfRound, random)
      const location = await newLocation(options, directory)
      const settings = { order: random() < 0.5 ? 'object' : 'none' } as const
      const outcomes = await crashAtSteps({ location, steps: chosen, random, settings })
      const total = (of: (outcome: (typeof outcomes)[number]) => number): number =>
        outcomes.reduce((sum, outcome) => sum + of(outcome), 0)
      const delivered = total(({ events, inTrouble, stored }) => events - inTrouble + stored)
      const lost = total((outcome) => outcome.lost)
      return {
        what: `crashes: ${chosen.map(({ name }) => name).join('; ')}`,
        engine,
        kills: chosen.filter(({ trouble }) => trouble === 'kill').length,
        outages: chosen.filter(({ trouble }) => trouble === 'cut').length,
        acknowledged: delivered,
        delivered: delivered - lost,
        lost,
        repeated: Object.fromEntries(outcomes.map(({ step, repeated }) => [step.name, repeated])),
        recoveredMs: Math.max(...outcomes.map(({ recoveredMs }) => recoveredMs)),
        problems: outcomes.flatMap(({ step, problems }) => problems.map((problem) => `${step.name}: ${problem}`)),
      }
    }),

  database: ({ postgres, random }) =>
    inDirectory(async (directory) => {
      if (postgres === undefined) throw new Error('Only PostgreSQL has connections that can break.')
      const troubles = pick(databaseTroubles, troublesOfRound, random)
      const url = await postgres.createDatabase()
      const report = await runDatabaseTroubles({ ...postgres, url, directory, troubles })
      const { outcomes, repeated, ...rest } = report
      return {
        ...rest,
        what: `database: ${troubles.map(({ name }) => name).join('; ')}`,
        engine: 'postgres',
        kills: 0,
        outages: troubles.length,
        repeated: { 'database trouble': repeated },
        recoveredMs: Math.max(...outcomes.map(({ deliveredAfterMs }) => deliveredAfterMs)),
      }
    }),

  receivers: (options) =>
    inDirectory(async (directory) => {
      const { engine, random } = options
      const database = await openDatabase(await newLocation(options, directory))
      await migrate(database, await readMigrations())
      const report = await runReceiverTroubles({ database, random, troubleMs, ofEach: 2 })
      await database.close()
      const { aloneP99Ms, troubledP99Ms, deliveries, lost, drainedMs, problems } = report
      return {
        what: `receivers: p99 of healthy ones ${troubledP99Ms} ms, alone ${aloneP99Ms} ms`,
        engine,
        kills: 0,
        outages: 0,
        acknowledged: deliveries,
        delivered: deliveries - lost,
        lost,
        repeated: {},
        recoveredMs: drainedMs,
        problems,
      }
    }),

  clock: ({ engine, postgres, random }) =>
    inDirectory(async (directory) => {
      const jumps = Array.from({ length: jumpsOfRound }, () => pick(jumpsMs, 1, random)[0] ?? 0)
      // The time of PostgreSQL is that of its own machine. An embedded database jumps too: what was raised
      // in a time that never was is due when that time comes.
      const offsets = [...jumps, engine === 'postgres' ? 0 : Math.max(...jumpsMs)]
      const url = engine === 'postgres' ? await postgres?.createDatabase() : undefined
      const report = await runClockJumps({ directory, ...(url === undefined ? {} : { url }), offsets, random })
      const { drainedMs, repeated, ...rest } = report
      return {
        ...rest,
        what: `clock: off by ${offsets.map((offset) => `${offset / hourMs} h`).join(', ')}`,
        engine,
        kills: 0,
        outages: 0,
        repeated: { 'clock jump': repeated },
        recoveredMs: drainedMs,
      }
    }),
}

const newLocation = async ({ postgres, engine }: RoundOptions, directory: string): Promise<DatabaseLocation> =>
  engine === 'postgres' && postgres !== undefined
    ? { url: await postgres.createDatabase(), directory: '', poolSize: 10 }
    : { directory: join(directory, 'database'), poolSize: 1 }

/** So many different ones, in the order that they have in the list. */
const pick = <T>(list: readonly T[], count: number, random: () => number): T[] => {
  const chosen = new Set<number>()
  while (chosen.size < Math.min(count, list.length)) chosen.add(Math.floor(random() * list.length))
  return list.filter((_, index) => chosen.has(index))
}
