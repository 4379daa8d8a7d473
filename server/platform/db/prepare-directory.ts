import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { DurableFiles } from './durable-files.ts'
import { syncDirectory, syncTree } from './sync-files.ts'

/**
 * Makes the directory of the embedded database if it is not there, and brings all of it onto the disk when the process
 * before did not close it: nobody knows which of its files were synced.
 */
export const prepareDirectory = async (directory: string): Promise<void> => {
  if (!existsSync(join(directory, 'PG_VERSION'))) return initialize(directory)
  // PostgreSQL does not start beside a file that is half written, and nobody else can be there: the caller holds the lock.
  rmSync(join(directory, 'postmaster.pid'), { force: true })
  if (!wasClosed(directory)) await syncTree(directory)
}

/** Under another name first: a directory of this name is never half filled, whenever the power goes. */
const initialize = async (directory: string): Promise<void> => {
  const unfinished = `${directory}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  const pglite = await PGlite.create({ fs: new DurableFiles(unfinished) })
  await pglite.close()
  await syncTree(unfinished)
  renameSync(unfinished, directory)
  syncDirectory(dirname(directory))
}

/** PostgreSQL judges by the same number whether it has to recover: `DBState` in `pg_control`, after 8 + 4 + 4 bytes. */
const wasClosed = (directory: string): boolean =>
  readFileSync(join(directory, 'global/pg_control')).readUInt32LE(16) === shutDown
const shutDown = 1
