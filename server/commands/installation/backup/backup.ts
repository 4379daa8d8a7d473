import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockDirectory } from '#platform/db/lock-directory.ts'
import { syncTree } from '#platform/db/sync-files.ts'
import { databaseDirectory, loadConfig } from '../../../start-early.ts'
import { CommandFailure } from '../../failure.ts'
import type { JsonFlag } from '../../flags.ts'
import { say, sayJson } from '../../output.ts'
import { beginBackup } from './ask-door.ts'
import { copyDatabase, copyLog, copyWhileOpen } from './copy-files.ts'
import { writeManifest } from './manifest.ts'

export const keyFiles = ['secret.key', 'secret.key.previous']

/** waybill backup FOLDER: a copy of the embedded database, beside its server or without one. */
export const backup = async ({ json }: JsonFlag, folder: string): Promise<void> => {
  const config = loadConfig()
  if (config.DATABASE_URL !== undefined)
    throw new CommandFailure('This is for the embedded database. Of PostgreSQL, make a backup with pg_dump.')
  const from = databaseDirectory(config)
  if (!existsSync(from))
    throw new CommandFailure(`There is no database in ${config.DATA_DIR}. Is DATA_DIR the right one?`)
  refuseFull(folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const to = join(folder, 'database')
  const isRunning = await copy(config.DATA_DIR, from, to)
  for (const file of keyFiles)
    if (existsSync(join(config.DATA_DIR, file))) copyFileSync(join(config.DATA_DIR, file), join(folder, file))
  const { made_at: madeAt, files } = await writeManifest(folder)
  await syncTree(folder)
  const count = Object.keys(files).length
  if (json === true) return sayJson({ folder, made_at: madeAt, files: count, server_was_running: isRunning })
  say(`The backup is in ${folder}: ${count} files${isRunning ? ', made while the server runs' : ''}.`)
  if (config.SECRET_KEY === undefined) say('It has the secret key in it: keep it as safe as the data directory.')
  else say('SECRET_KEY is not in it: keep that as well.')
}

/** @returns whether a server was running. */
const copy = async (dataDirectory: string, from: string, to: string): Promise<boolean> => {
  const open = await beginBackup(dataDirectory)
  if (open === undefined) {
    const unlock = await lockDirectory(dataDirectory)
    await copyDatabase(from, to)
    unlock()
    return false
  }
  await copyWhileOpen(from, to)
  const { label, firstLog, lastLog } = await open.end()
  await copyLog(from, to, firstLog, lastLog)
  writeFileSync(join(to, 'backup_label'), label)
  return true
}

/** @throws CommandFailure when something is there: a backup never mixes with another. */
const refuseFull = (folder: string): void => {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new CommandFailure(`${folder} is not empty: name a folder that there is not yet.`)
}
