import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { dayMs } from '../clock.ts'
import { codeOf, makeFolder } from './make-folder.ts'
import { checkedKey, type ObjectStore } from './object-store.ts'
import { flushDirectory } from '../db/sync-files.ts'

/** What is read at once: with Node's 64 KiB, a fast network would wait for the disk. */
const readBytes = 262_144
/** From then on nobody is writing that file any more: its process has died. */
const abandonedAfterMs = dayMs

/**
 * A folder, made when it is not there, for its owner alone.
 * @throws Error that names the setting and says why, when nothing can be written there.
 */
export const openFolderStore = async (directory: string): Promise<ObjectStore> => {
  try {
    await makeFolder(directory)
    await tryWriting(directory)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`EXPORT_DIR: files cannot be kept in ${directory}: ${why}.`, { cause: error })
  }
  const pathOf = (key: string): string => join(directory, checkedKey(key))

  return {
    put: async (key, path, { signal }) => {
      const target = pathOf(key)
      signal.throwIfAborted()
      if (!(await moved(path, target))) await copy(path, target, join(directory, partName(key)), signal)
      // Without it a loss of power could take the name away again.
      await flushDirectory(directory)
    },
    read: async (key) => {
      const file = await opened(pathOf(key))
      return file?.createReadStream({ highWaterMark: readBytes })
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    removeAbandoned: (prefix) => removeAbandoned(directory, prefix),
  }
}

/** What may be written does not tell it: the superuser may everything, and a disk may be read-only. */
const tryWriting = async (directory: string): Promise<void> => {
  await readdir(directory)
  const path = join(directory, partName('try'))
  await writeFile(path, '', { flag: 'wx', mode: 0o600 })
  await rm(path)
}

/** Whole on the disk before it has its name. @returns whether it could be moved: not from another file system. */
const moved = async (path: string, target: string): Promise<boolean> => {
  const file = await open(path, 'r+')
  try {
    await file.chmod(0o600)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await rename(path, target)
    return true
  } catch (error) {
    if (codeOf(error) === 'EXDEV') return false
    throw error
  }
}

const copy = async (path: string, target: string, part: string, signal: AbortSignal): Promise<void> => {
  try {
    const written = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true })
    await pipeline(createReadStream(path), written, { signal })
    await rename(part, target)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

const opened = async (path: string) => {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** A name that no key has, and no other copy of the same key. */
const partName = (key: string): string => `.${key}.${randomUUID()}.part`
const isPartName = (name: string, prefix: string): boolean => name.startsWith(`.${prefix}`) && name.endsWith('.part')

/** What processes left behind that died while they copied. */
const removeAbandoned = async (directory: string, prefix: string): Promise<void> => {
  for (const name of (await readdir(directory)).filter((one) => isPartName(one, prefix))) {
    const path = join(directory, name)
    const age = Date.now() - (await ageMark(path))
    if (age > abandonedAfterMs) await rm(path, { force: true })
  }
}

/** When it was last written; now, when another process has removed it meanwhile. */
const ageMark = async (path: string): Promise<number> => {
  try {
    return (await stat(path)).mtimeMs
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return Date.now()
    throw error
  }
}
