import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig, splitList, type Config } from '#platform/config.ts'
import { heldKeys } from '#platform/crypto/held-keys.ts'
import { generatedSecretKeys, type SecretKeys } from '#platform/crypto/secret-key.ts'
import { makeVault } from '#platform/crypto/vault.ts'
import { makeDatabaseClock } from '#platform/db/database-clock.ts'
import { makeEmbeddedVacuum } from '#platform/db/embedded-vacuum.ts'
import { lockDirectory } from '#platform/db/lock-directory.ts'
import { migrate, readMigrations } from '#platform/db/migrate.ts'
import { openDatabase } from '#platform/db/open.ts'
import { strayLines } from '#platform/env-file.ts'
import { openStore } from '#platform/storage/open-store.ts'
import { makeLogger } from '#platform/telemetry.ts'
import type { Role } from './command-line.ts'
import type { ServerContext } from './server-context.ts'

/** Reads the configuration and opens everything it names: lock, key, store of files, migrated database. */
export const openServerContext = async (role: Role): Promise<ServerContext> => {
  const config = loadConfig()
  const log = makeLogger(config.LOG_LEVEL)
  const embedded = config.DATABASE_URL === undefined
  // Never released: the operating system does that with the end of the process, and not before.
  if (embedded && role !== 'all') {
    throw new Error(`--role ${role} needs DATABASE_URL: the embedded database has one process.`)
  }
  if (embedded) await lockDirectory(config.DATA_DIR)
  const { current: secretKey, previous: previousSecretKeys } = await readSecretKeys(config)
  const store = await openStore(config, log)
  const location = {
    url: config.DATABASE_URL,
    directory: join(config.DATA_DIR, 'database'),
    poolSize: config.DATABASE_POOL_SIZE,
    announced: heldKeys(makeVault(secretKey, previousSecretKeys)),
  }
  const database = await openDatabase(location)
  const applied = await migrate(database, await readMigrations())
  if (applied.length > 0) log.info({ applied }, 'database.migrated')
  const clock = makeDatabaseClock(database.db, log)
  const services = [clock, makeEmbeddedVacuum(database, log)]
  return { role, config, secretKey, previousSecretKeys, database, store, clock, services, log }
}

/** The configuration, with `.env` where the environment itself does not say otherwise. */
export const loadConfig = (): Config => {
  if (existsSync('.env')) {
    process.loadEnvFile('.env')
    for (const line of strayLines(readFileSync('.env', 'utf8')))
      process.stderr.write(`Line ${line} of .env is left out: it is no NAME=value.\n`)
  }
  return readConfig(process.env)
}

/** The key that is set, else the generated one; and every one before it that is named or kept. */
const readSecretKeys = async ({ SECRET_KEY, SECRET_KEY_PREVIOUS, DATA_DIR }: Config): Promise<SecretKeys> => {
  const named = splitList(SECRET_KEY_PREVIOUS)
  if (SECRET_KEY !== undefined) return { current: SECRET_KEY, previous: named }
  const { current, previous } = await generatedSecretKeys(DATA_DIR)
  return { current, previous: [...previous, ...named] }
}
