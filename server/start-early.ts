import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig, type Config } from '#platform/config.ts'
import { lockDirectory } from '#platform/db/lock-directory.ts'
import { PgliteProcess } from '#platform/db/pglite-process.ts'
import { strayLines } from '#platform/env-file.ts'
import type { Role } from './command-line.ts'

// What a start does before it loads the rest of the server, so this file imports little.

/** The configuration, with `.env` where the environment itself does not say otherwise. */
export const loadConfig = (): Config => {
  if (existsSync('.env')) {
    process.loadEnvFile('.env')
    for (const line of strayLines(readFileSync('.env', 'utf8')))
      process.stderr.write(`Line ${line} of .env is left out: it is no NAME=value.\n`)
  }
  return readConfig(process.env)
}

/** The directory of the embedded database. */
export const databaseDirectory = ({ DATA_DIR }: Config): string => join(DATA_DIR, 'database')

/**
 * Takes the data directory and starts the thread that opens the embedded database; it is not open yet.
 * @returns undefined with DATABASE_URL.
 * @throws Error when another process has the directory, or would need it too.
 */
export const startEmbedded = async (role: Role, config: Config): Promise<PgliteProcess | undefined> => {
  if (config.DATABASE_URL !== undefined) return undefined
  if (role !== 'all') throw new Error(`--role ${role} needs DATABASE_URL: the embedded database has one process.`)
  // Never released: the operating system does that with the end of the process, and not before.
  await lockDirectory(config.DATA_DIR)
  return new PgliteProcess({ directory: databaseDirectory(config) })
}
