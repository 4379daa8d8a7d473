import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import { readSubscriptionFacts } from '#delivery/health/troubled.ts'
import { readCheckFacts, readQueueFacts, readWeekFacts } from '#delivery/upkeep/engine-facts.ts'
import { systemRoutes, type SystemFacts } from '#domains/house/index.ts'
import type { Db } from '#platform/db/database.ts'
import { readMigrations } from '#platform/db/migrate.ts'
import type { ProcessSigns } from '#platform/db/process-signs.ts'
import { runChecks, type ReadinessCheck } from '#platform/http/operations.ts'
import { readQueueFacts as readJobFacts } from '#platform/jobs/queue-facts.ts'
import { countMails } from '#platform/mail/mail-store.ts'
import type { ServerContext } from '../server-context.ts'

interface SystemFactsDeps {
  readonly context: ServerContext
  readonly version: string
  readonly checks: Readonly<Record<string, ReadinessCheck>>
  readonly signs: ProcessSigns
  readonly isMailConfigured: boolean
}

/** The page of the installation, for which every part of the server is asked. */
export const makeSystemRoutes = (deps: SystemFactsDeps) =>
  systemRoutes({ clock: deps.context.clock, readFacts: makeReadFacts(deps) })

/** Makes what asks every part of the server how it is, as the gauges and the checks of readiness do. */
const makeReadFacts = (deps: SystemFactsDeps) => async (): Promise<SystemFacts> => {
  const { context, version, checks, signs, isMailConfigured } = deps
  const { role, config, database, clock, log } = context
  const { db } = database
  // First and by itself: what is asked at once would be measured with it.
  const latencyMs = await timed(database.ping)
  const [server, expected, reasons, deliveries, subscriptions, invariants, queues, seen, weeks, mails, disk] =
    await Promise.all([
      readServer(db),
      readMigrations(),
      runChecks(checks, log),
      readQueueFacts(db, clock.now()),
      readSubscriptionFacts(db),
      readCheckFacts(db),
      readJobFacts(db),
      signs.see(),
      readWeekFacts(db),
      countMails(db),
      statfs(config.DATA_DIR),
    ])
  const { applied, ...ofDatabase } = server
  return {
    version,
    role,
    engine: database.engine,
    uptimeSeconds: Math.round(process.uptime()),
    database: { ...ofDatabase, latencyMs: Math.round(latencyMs * 10) / 10, ...database.load() },
    migrations: { applied, expected: expected.length },
    readiness: {
      reasons: Object.fromEntries(reasons.flatMap(([name, reason]) => (reason === undefined ? [] : [[name, reason]]))),
    },
    deliveries,
    subscriptions,
    invariants,
    jobs: { queues },
    processes: { seen },
    history: { eventDays: config.EVENT_RETENTION_DAYS, attemptDays: config.ATTEMPT_RETENTION_DAYS, ...weeks },
    mail: { isConfigured: isMailConfigured, ...mails },
    disk: { freeBytes: disk.bavail * disk.bsize, totalBytes: disk.blocks * disk.bsize },
  }
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

const readServer = async (db: Db) => {
  const { rows } = await sql<{ version: string; sizeBytes: number; applied: number }>`
    select current_setting('server_version') as version, pg_database_size(current_database()) as size_bytes,
      (select max(version) from schema_migrations) as applied`.execute(db)
  return rows[0] ?? { version: '', sizeBytes: 0, applied: 0 }
}
