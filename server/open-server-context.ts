import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { splitList, type Config } from '#platform/config.ts'
import { heldKeys } from '#platform/crypto/held-keys.ts'
import { generatedSecretKeys, type SecretKeys } from '#platform/crypto/secret-key.ts'
import { makeVault } from '#platform/crypto/vault.ts'
import type { Database } from '#platform/db/database.ts'
import { BaseBackup } from '#platform/db/base-backup.ts'
import { makeDatabaseClock } from '#platform/db/database-clock.ts'
import { makeEmbeddedVacuum } from '#platform/db/embedded-vacuum.ts'
import { migrate, readMigrations } from '#platform/db/migrate.ts'
import { openDatabase } from '#platform/db/open.ts'
import type { PgliteProcess } from '#platform/db/pglite-process.ts'
import { openStore } from '#platform/storage/open-store.ts'
import type { Service } from '#platform/supervisor.ts'
import { makeLogger } from '#platform/telemetry.ts'
import type { Tracing } from '#platform/tracing/tracing.ts'
import { nextSteps } from './next-steps.ts'
import type { Role } from './command-line.ts'
import { makeLocalDoor } from './local-door.ts'
import type { ServerContext } from './server-context.ts'
import { databaseDirectory } from './start-early.ts'
import { version } from './version.ts'

/**
 * Opens everything that the configuration names: key, store of files, migrated database.
 * @param pglite the thread of the embedded database, from `startEmbedded`.
 * @param admit looks at the database before anything in it is changed, and throws where it is not the one that is meant.
 */
export const openServerContext = async (
  role: Role,
  config: Config,
  pglite: PgliteProcess | undefined,
  admit?: (database: Database) => Promise<void>,
): Promise<ServerContext> => {
  const log = makeLogger(config.LOG_LEVEL, nextSteps)
  const tracing = await openTracing(role, config, log)
  const { current: secretKey, previous: previousSecretKeys } = await readSecretKeys(config)
  const store = await openStore(config, log)
  const location = {
    url: config.DATABASE_URL,
    directory: databaseDirectory(config),
    pglite,
    poolSize: config.DATABASE_POOL_SIZE,
    announced: heldKeys(makeVault(secretKey, previousSecretKeys)),
  }
  const database = await openDatabase(location)
  await admit?.(database)
  const applied = await migrate(database, await readMigrations())
  if (applied.length > 0) log.info({ applied }, 'database.migrated')
  const clock = makeDatabaseClock(database.db, log)
  const [consoleDirectory, guideDirectory] = ['../console/dist', '../guide/dist'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  )
  const directories = { consoleDirectory, guideDirectory }
  const backup = new BaseBackup(database.db)
  const vacuum = makeEmbeddedVacuum(database, log, { isLogWanted: () => backup.isRunning })
  const door = pglite === undefined ? [] : [makeLocalDoor(config.DATA_DIR, backup, log)]
  const services = [...stopping(tracing), clock, vacuum, ...door]
  const opened = { database, store, ...directories, clock, services, log, tracing }
  return { role, config, secretKey, previousSecretKeys, ...opened }
}

/** What traces takes a while to load, and most servers do without. */
const openTracing = async (role: Role, config: Config, log: Logger): Promise<Tracing | undefined> => {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined
  const tracing = await import('#platform/tracing/open-tracing.ts')
  return tracing.openTracing({ config, version, role, log })
}

const stopping = (tracing: Tracing | undefined): Service[] =>
  tracing === undefined ? [] : [{ name: 'tracing', start: async () => undefined, stop: tracing.stop }]

/** The key that is set, else the generated one; and every one before it that is named or kept. */
const readSecretKeys = async ({ SECRET_KEY, SECRET_KEY_PREVIOUS, DATA_DIR }: Config): Promise<SecretKeys> => {
  const named = splitList(SECRET_KEY_PREVIOUS)
  if (SECRET_KEY !== undefined) return { current: SECRET_KEY, previous: named }
  const { current, previous } = await generatedSecretKeys(DATA_DIR)
  return { current, previous: [...previous, ...named] }
}
