import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { syncDirectory } from './sync-files.ts'

/** How long a start waits for the process before it, which may just be going down. */
const patienceMs = 3_000

/** Locks of this process. A lock that nothing refers to is closed, and so released, by the garbage collector. */
const held = new Set<DatabaseSync>()

/**
 * Makes this process the only user of a data directory until it ends, however it ends.
 *
 * Node has no file locks of its own, but SQLite takes a real one (fcntl, LockFileEx) for an exclusive
 * transaction, and the operating system drops it with the process, SIGKILL included. A pid file alone
 * would need guessing whether its process still lives.
 * @throws when another process holds the directory for longer than 3 seconds.
 */
export const lockDirectory = async (directory: string): Promise<() => void> => {
  makeDirectory(directory)
  const pidFile = join(directory, 'waybill.pid')
  const deadline = Date.now() + patienceMs
  for (;;) {
    const lock = tryLock(join(directory, 'waybill.lock'))
    if (lock !== undefined) {
      orRefused(directory, () => writeFileSync(pidFile, `${process.pid}\n`))
      held.add(lock)
      return () => {
        held.delete(lock)
        lock.close()
      }
    }
    if (Date.now() > deadline) {
      throw new Error(
        `The data directory ${directory} is in use by another process (pid ${readPid(pidFile)}). Stop it, or set DATA_DIR.`,
      )
    }
    await sleep(50)
  }
}

const makeDirectory = (directory: string): void =>
  orRefused(directory, () => {
    makeDurably(resolve(directory))
    accessSync(directory, constants.W_OK | constants.X_OK)
  })

/** @throws Error that names the setting and says why. */
const orRefused = (directory: string, use: () => void): void => {
  try {
    use()
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const why = `DATA_DIR ${directory} cannot be used: ${problems[code] ?? message}.`
    throw new Error(code === 'ENOSPC' ? `${why} Make room on it.` : `${why} Set DATA_DIR to a directory.`, {
      cause: error,
    })
  }
}

/** What is in a new directory is only as safe as its name. */
const makeDurably = (directory: string): void => {
  const first = mkdirSync(directory, { recursive: true })
  if (first === undefined) return
  for (let made = directory; made.length >= first.length; made = dirname(made)) syncDirectory(dirname(made))
}

const problems: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file',
  ENOTDIR: 'part of it is a file',
  EACCES: 'this user may not write there',
  EROFS: 'nothing can be written there',
  ENOSPC: 'its disk is full',
}

const tryLock = (file: string): DatabaseSync | undefined => {
  const lock = new DatabaseSync(file)
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive;')
    return lock
  } catch (error) {
    lock.close()
    if (error instanceof Error && /locked/.test(error.message)) return undefined
    throw error
  }
}

const readPid = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return 'unknown'
  }
}
