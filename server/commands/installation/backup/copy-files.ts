import { constants } from 'node:fs'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Of no use in a copy: PostgreSQL makes it anew, or leaves it out of base backups itself. */
const leftOut = /^(postmaster\.(pid|opts)|pg_(dynshmem|notify|serial|snapshots|stat_tmp|subtrans|replslot)\/.+)$/
const logFile = /^pg_wal\/([0-9A-F]{24})$/

/** Copies the folder of a database that nobody has open. */
export const copyDatabase = (from: string, to: string): Promise<void> =>
  copyWhere(from, to, (path) => !leftOut.test(path))

/** The same of one that is written to: all but its log. `pg_control` comes last, as PostgreSQL asks. */
export const copyWhileOpen = async (from: string, to: string): Promise<void> => {
  await copyWhere(from, to, (path) => !leftOut.test(path) && !path.startsWith('pg_wal/') && path !== control)
  await copyPresent(join(from, control), join(to, control))
}
const control = 'global/pg_control'

/** Copies the files of the log from the first to the last. */
export const copyLog = (from: string, to: string, first: string, last: string): Promise<void> =>
  copyWhere(from, to, (path) => {
    const name = logFile.exec(path)?.[1]
    return name !== undefined && name >= first && name <= last
  })

const copyWhere = async (from: string, to: string, isWanted: (path: string) => boolean): Promise<void> => {
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(from.length + 1)
    if (entry.isDirectory()) await mkdir(join(to, path), { recursive: true })
    else if (entry.isFile() && isWanted(path)) await copyPresent(join(from, path), join(to, path))
  }
}

/** A file that is removed meanwhile is removed again by the log. */
const copyPresent = async (from: string, to: string): Promise<void> => {
  try {
    await mkdir(dirname(to), { recursive: true })
    await copyFile(from, to, constants.COPYFILE_FICLONE)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
