import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '#platform/clock.ts'
import { readConfig } from '#platform/config.ts'
import { generatedSecretKey } from '#platform/crypto/secret-key.ts'
import { lockDirectory } from '#platform/db/lock-directory.ts'
import { migrate, readMigrations } from '#platform/db/migrate.ts'
import { migrationsDirectory } from '#platform/db/migrations-directory.ts'
import { openDatabase } from '#platform/db/open.ts'
import { makeLogger } from '#platform/telemetry/logger.ts'
import type { Role } from './command-line.ts'
import type { Ingredients } from './ingredients.ts'

/** Reads the configuration (with `.env`, where the environment itself wins) and opens everything it names: lock, key, migrated database. */
export const openIngredients = async (role: Role): Promise<Ingredients> => {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const config = readConfig(process.env)
  const log = makeLogger(config.LOG_LEVEL)
  const embedded = config.DATABASE_URL === undefined
  // Never released: the operating system does that with the end of the process, and not before.
  if (embedded && role !== 'all') {
    throw new Error(`--role ${role} needs DATABASE_URL: the embedded database has one process.`)
  }
  if (embedded) await lockDirectory(config.DATA_DIR)
  const secretKey = config.SECRET_KEY ?? (await generatedSecretKey(config.DATA_DIR))
  const location = {
    url: config.DATABASE_URL,
    directory: join(config.DATA_DIR, 'database'),
    poolSize: config.DATABASE_POOL_SIZE,
  }
  const database = await openDatabase(location)
  const applied = await migrate(database, await readMigrations(migrationsDirectory))
  if (applied.length > 0) log.info({ applied }, 'database.migrated')
  return { role, config, secretKey, database, clock: systemClock, log }
}
