import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { flushDirectory } from '../db/sync-files.ts'

/** The SECRET_KEY that encrypts and signs, and those from before it that can still open and verify. */
export interface SecretKeys {
  readonly current: string
  readonly previous: readonly string[]
}

/**
 * The generated key of an embedded installation stands in two files of its data directory, each readable by its
 * owner alone and each written whole or not at all:
 *
 *     secret.key           the present key
 *     secret.key.previous  the one before, for as long as something may be encrypted with it
 *
 * A change goes through these steps, and both files are read at every start, so it may be killed after any of them:
 *
 *     1. secret.key.previous := secret.key    both the same: nothing has happened yet
 *     2. secret.key := a new key              both differ: the change has begun and must be finished
 *     3. everything is encrypted again with the new key
 *     4. secret.key.previous is removed
 *
 * Only one process may do this at a time: the caller holds the directory's lock.
 */
const currentFile = 'secret.key'
const previousFile = 'secret.key.previous'

/** The generated keys of an embedded installation; the first is made at the first start. */
export const generatedSecretKeys = async (directory: string): Promise<SecretKeys> => {
  const current = (await readKey(directory, currentFile)) ?? (await writeNewKey(directory))
  const previous = await readKey(directory, previousFile)
  return { current, previous: previous === undefined || previous === current ? [] : [previous] }
}

export const hasGeneratedKey = async (directory: string): Promise<boolean> =>
  (await readKey(directory, currentFile)) !== undefined

/** Steps 1 and 2, or nothing where an earlier change was not finished. @returns the keys from now on. */
export const beginKeyChange = async (directory: string): Promise<SecretKeys & { readonly isNew: boolean }> => {
  const keys = await generatedSecretKeys(directory)
  if (keys.previous.length > 0) return { ...keys, isNew: false }
  await writeKey(directory, previousFile, keys.current)
  return { current: await writeNewKey(directory), previous: [keys.current], isNew: true }
}

/** Step 4. Only when nothing is encrypted with the previous key any more. */
export const endKeyChange = async (directory: string): Promise<void> => {
  await rm(join(directory, previousFile), { force: true })
  await flushDirectory(directory)
}

const readKey = async (directory: string, file: string): Promise<string | undefined> => {
  try {
    return (await readFile(join(directory, file), 'utf8')).trim()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

const writeNewKey = async (directory: string): Promise<string> => {
  const key = randomBytes(32).toString('base64url')
  await writeKey(directory, currentFile, key)
  return key
}

/** Under another name first: a file of this name is never half written, and survives a loss of power once it is there. */
const writeKey = async (directory: string, file: string, key: string): Promise<void> => {
  await mkdir(directory, { recursive: true })
  const unfinished = join(directory, `${file}.unfinished`)
  await rm(unfinished, { force: true })
  await writeFile(unfinished, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true })
  await rename(unfinished, join(directory, file))
  await flushDirectory(directory)
}
