import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { CommandFailure } from '../../failure.ts'

/** What a backup consists of; written last, so a folder without it is no backup. */
export interface Manifest {
  readonly made_at: string
  /** SHA-256 of every file, by its path in the folder. */
  readonly files: Readonly<Record<string, string>>
}

const manifestFile = 'backup.json'

/** Notes what is in a folder. */
export const writeManifest = async (folder: string): Promise<Manifest> => {
  const manifest = { made_at: new Date().toISOString(), files: await hashesOf(folder) }
  writeFileSync(join(folder, manifestFile), `${JSON.stringify(manifest, undefined, 1)}\n`)
  return manifest
}

/** @throws CommandFailure unless the folder is a whole backup, byte by byte. */
export const readManifest = async (folder: string): Promise<Manifest> => {
  const file = join(folder, manifestFile)
  if (!existsSync(file))
    throw new CommandFailure(`${folder} is no backup, or one that was not finished: it has no ${manifestFile}.`)
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  const hashes = await hashesOf(folder)
  const wrong = Object.entries(manifest.files).find(([path, hash]) => hashes[path] !== hash)
  if (wrong !== undefined)
    throw new CommandFailure(`The backup is damaged: ${join(folder, wrong[0])} is missing or was changed.`)
  return manifest
}

const hashesOf = async (folder: string): Promise<Record<string, string>> => {
  const hashes: Record<string, string> = {}
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    const path = relative(folder, file)
    if (entry.isFile() && path !== manifestFile) hashes[path] = await hashOf(file)
  }
  return hashes
}

const hashOf = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
