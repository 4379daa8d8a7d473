import { copyFileSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { lockDirectory } from '#platform/db/lock-directory.ts'
import { makePrivate } from '#platform/db/private-files.ts'
import { syncDirectory, syncTree } from '#platform/db/sync-files.ts'
import { databaseDirectory, loadConfig } from '../../../start-early.ts'
import { CommandFailure } from '../../failure.ts'
import type { JsonFlag } from '../../flags.ts'
import { say, sayJson } from '../../output.ts'
import { keyFiles } from './backup.ts'
import { copyDatabase } from './copy-files.ts'
import { readManifest } from './manifest.ts'

/** waybill restore FOLDER: puts a backup into an empty data directory. It may be killed and run again. */
export const restore = async ({ json }: JsonFlag, folder: string): Promise<void> => {
  const config = loadConfig()
  if (config.DATABASE_URL !== undefined)
    throw new CommandFailure('This is for the embedded database: leave DATABASE_URL out. PostgreSQL has pg_restore.')
  const { made_at: madeAt } = await readManifest(folder)
  const unlock = await lockDirectory(config.DATA_DIR)
  refuseUsed(config.DATA_DIR)
  const directory = databaseDirectory(config)
  const unfinished = `${directory}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  await copyDatabase(join(folder, 'database'), unfinished)
  await syncTree(unfinished)
  for (const file of keyFiles)
    if (existsSync(join(folder, file))) copyFileSync(join(folder, file), join(config.DATA_DIR, file))
  // The database last, and whole: without it this begins again.
  renameSync(unfinished, directory)
  syncDirectory(config.DATA_DIR)
  makePrivate(config.DATA_DIR)
  unlock()
  if (json === true) return sayJson({ data_dir: config.DATA_DIR, made_at: madeAt })
  say(
    `${config.DATA_DIR} is as it was at ${madeAt}. What was due then is delivered again: start it once the old server is gone.`,
  )
}

/** What this command makes itself before the database may be there, when it was killed. */
const mayBeThere = new Set(['database.unfinished', ...keyFiles])

const refuseUsed = (dataDirectory: string): void => {
  const others = readdirSync(dataDirectory).filter((name) => !mayBeThere.has(name) && !name.startsWith('waybill.'))
  if (others.length > 0)
    throw new CommandFailure(
      `${dataDirectory} is not empty (${others.join(', ')}): restore into another DATA_DIR, or move this one away.`,
    )
}
