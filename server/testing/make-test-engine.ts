import type { QueryResult } from 'kysely'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { makeEngine, type Engine, type EngineOptions } from '#delivery/engine.ts'
import { readInstallationId } from '#delivery/tables/webhook-id.ts'
import { systemClock } from '#platform/clock.ts'
import type { Database, Db } from '#platform/db/database.ts'
import { makeSupervisor } from '#platform/supervisor.ts'
import { testVault } from './make-deliveries.ts'

export interface TestEngine extends Engine {
  readonly registry: Registry
  start(): Promise<void>
  /** Stops as the server does. */
  stop(): Promise<void>
}

/** A delivery engine that may reach this machine. Starts when told to. */
export const makeTestEngine = async (database: Database, options: Partial<EngineOptions> = {}): Promise<TestEngine> => {
  const registry = new Registry()
  const log = pino({ level: 'silent' })
  const engine = makeEngine({
    database,
    clock: systemClock,
    log,
    vault: testVault,
    registry,
    installationId: await readInstallationId(database.db),
    allowedNetworks: [],
    allowLoopback: true,
    userAgent: 'Waybill/test',
    maxAttempts: 18,
    health: { failingAfter: 5, disabledAfterMs: 432_000_000, probeEveryMs: 3_600_000 },
    keep: { eventDays: 90, attemptDays: 30 },
    capacity: 128,
    // A tenth of what a server gives them.
    drainMs: 1_000,
    settleMs: 500,
    ...options,
  })
  const supervisor = makeSupervisor([...engine.services, ...engine.workers], log)
  return { ...engine, registry, start: () => supervisor.start(), stop: () => supervisor.stop() }
}

/** A database that can be made to refuse some kinds of statements for a while. */
export interface FailingDatabase extends Database {
  /** `raw`: statements of the hot path; `built`: those of the query builder, and transactions. */
  readonly refuses: Set<'raw' | 'built'>
  /** Statements refused so far. */
  readonly refused: () => number
}

const built = new Set<string | symbol>(['selectFrom', 'updateTable', 'insertInto', 'deleteFrom', 'transaction'])

/** The same database, as if its connections broke whenever `refuses` says so. Transactions that have begun are not affected. */
export const makeFailing = (database: Database): FailingDatabase => {
  const refuses = new Set<'raw' | 'built'>()
  let refused = 0
  const refuse = (): never => {
    refused += 1
    throw new Error('connection lost')
  }
  const failing = (db: Db): Db =>
    overriding(db, (name) => {
      if (name === 'executeQuery' && refuses.has('raw')) return async () => refuse()
      return built.has(name) && refuses.has('built') ? refuse : undefined
    })
  const [db, unsynced] = [failing(database.db), failing(database.unsynced)]
  return { ...database, db, unsynced, refuses, refused: () => refused }
}

/** The same queries, but for functions that there is another one for. */
const overriding = (db: Db, other: (name: string | symbol) => unknown): Db =>
  new Proxy(db, {
    get(target, name) {
      const value: unknown = other(name) ?? Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })

/** The same database; `around` runs each look of a worker for what is due. */
export const aroundLooks = (
  database: Database,
  around: (look: () => Promise<QueryResult<never>>) => Promise<QueryResult<never>>,
): Database => {
  const executeQuery: Database['db']['executeQuery'] = (query, ...rest) => {
    const execute = () => database.db.executeQuery<never>(query, ...rest)
    const isLook = 'sql' in query && query.sql.includes('select heads.subscription_id as "subscriptionId"')
    return isLook ? around(execute) : execute()
  }
  return { ...database, db: overriding(database.db, (name) => (name === 'executeQuery' ? executeQuery : undefined)) }
}

/** The same database, on which looks find nothing: what is delivered there was woken, or had a timer. */
export const withoutLooks = (database: Database): Database => aroundLooks(database, async () => ({ rows: [] }))
