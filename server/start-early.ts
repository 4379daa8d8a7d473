import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig, settingNames, type Config } from '#platform/config.ts'
import { generatedSecretKeys, hasGeneratedKey } from '#platform/crypto/secret-key.ts'
import { lockDirectory } from '#platform/db/lock-directory.ts'
import { PgliteProcess } from '#platform/db/pglite-process.ts'
import { makePrivate } from '#platform/db/private-files.ts'
import { envFileWarnings } from '#platform/env-file.ts'
import type { Role } from './command-line.ts'

// What a start does before it loads the rest of the server, so this file imports little.

// Whatever this process makes is for its user alone: the embedded database, keys and exports are nobody else's.
process.umask(0o077)

const warn = (line: string): void => void process.stderr.write(`${line}\n`)

/**
 * The configuration, with `.env` where the environment itself does not say otherwise.
 * @param settings what holds where neither says anything.
 */
export const loadConfig = (settings: Readonly<Record<string, string>> = {}): Config => {
  if (existsSync('.env')) {
    process.loadEnvFile('.env')
    envFileWarnings(readFileSync('.env', 'utf8'), settingNames).forEach(warn)
  }
  const unset = Object.entries(settings).filter(([name]) => (process.env[name]?.trim() ?? '') === '')
  return readConfig({ ...process.env, ...Object.fromEntries(unset) })
}

/** The directory of the embedded database. */
export const databaseDirectory = ({ DATA_DIR }: Config): string => join(DATA_DIR, 'database')

/**
 * Takes the data directory, for this user alone, and starts the thread that opens the embedded database; it is not open yet.
 * @returns undefined with DATABASE_URL.
 * @param mayHaveMoved whether it may be a database that was moved to PostgreSQL.
 * @throws Error when another process has the directory, or would need it too, or when the key of the database is missing.
 */
export const startEmbedded = async (
  role: Role,
  config: Config,
  { mayHaveMoved = false }: { readonly mayHaveMoved?: boolean } = {},
): Promise<PgliteProcess | undefined> => {
  if (config.DATABASE_URL !== undefined) return undefined
  if (role !== 'all') throw new Error(`--role ${role} needs DATABASE_URL: the embedded database has one process.`)
  if (!mayHaveMoved) refuseMoved(config)
  // Never released: the operating system does that with the end of the process, and not before.
  await lockDirectory(config.DATA_DIR)
  makePrivate(config.DATA_DIR).forEach(warn)
  await ensureSecretKey(config)
  return new PgliteProcess({ directory: databaseDirectory(config) })
}

/** Made in a data directory by `waybill move-to`. */
export const movedFile = 'moved-to'

/** Servers on both databases would deliver everything twice. */
const refuseMoved = ({ DATA_DIR }: Config): void => {
  const file = join(DATA_DIR, movedFile)
  if (!existsSync(file)) return
  throw new Error(
    `The database of ${DATA_DIR} has moved (${readFileSync(file, 'utf8').trim()}): set DATABASE_URL and SECRET_KEY as in ${join(DATA_DIR, 'postgres.env')}. To go back to it for good, remove ${file}.`,
  )
}

/** The key is on the disk before there is a database, so a database without a key has lost it, wherever a start was killed. */
const ensureSecretKey = async (config: Config): Promise<void> => {
  const { DATA_DIR, SECRET_KEY } = config
  if (SECRET_KEY !== undefined || (await hasGeneratedKey(DATA_DIR))) return
  if (existsSync(databaseDirectory(config)))
    throw new Error(
      `${DATA_DIR} holds a database but not its secret.key, and SECRET_KEY is not set. No new key is made, because it could not open the secrets that are stored. Put secret.key back from a backup of ${DATA_DIR}, or set SECRET_KEY to the key that this database was used with.`,
    )
  await generatedSecretKeys(DATA_DIR)
}
