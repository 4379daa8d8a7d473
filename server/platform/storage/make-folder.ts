import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder for its owner alone, and those it is in, unless they are there. (What the runtime has for that tries for ever
 * where no folder can be made, as in /proc.)
 */
export const makeFolder = async (path: string): Promise<void> => {
  const folder = resolve(path)
  if ((await made(folder)) || dirname(folder) === folder) return
  await makeFolder(dirname(folder))
  await mkdir(folder, { mode: 0o700 }).catch(unlessThere)
}

/** @returns false when what it would be in is not there. */
const made = async (folder: string): Promise<boolean> => {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    unlessThere(error)
  }
  return true
}

/** Whether what is there is a folder shows when it is used. */
const unlessThere = (error: unknown): void => {
  if (codeOf(error) !== 'EEXIST') throw error
}

/** The code of an error of the file system. */
export const codeOf = (error: unknown): string => String(Reflect.get(Object(error), 'code'))
