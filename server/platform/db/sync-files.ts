import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Names in a directory are on the disk only after this (fsync(2)). Windows has no such call, and does not need it. */
export const syncDirectory = (directory: string): void => {
  if (process.platform === 'win32') return
  const descriptor = openSync(directory, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** The same without keeping other work of the thread waiting. */
export const flushDirectory = async (directory: string): Promise<void> => {
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A disk syncs several files in hardly more time than one. */
const atOnce = 8

/** Puts a directory with everything in it onto the disk, as far as the operating system has it. Nobody may write there meanwhile. */
export const syncTree = async (root: string): Promise<void> => {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  // All at once would need a descriptor for each.
  const left = files.values()
  await Promise.all(Array.from({ length: atOnce }, () => syncEach(left)))
  for (const entry of entries) if (entry.isDirectory()) syncDirectory(join(entry.parentPath, entry.name))
  syncDirectory(root)
}

const syncEach = async (files: Iterable<string>): Promise<void> => {
  for (const path of files) {
    // Windows syncs only what may be written.
    const file = await open(path, 'r+')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
  }
}
