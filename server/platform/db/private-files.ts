import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** What the server itself makes in its data directory; whatever else lies there is not its to change. */
const made = /^(database|exports|unfinished-exports|secret\.key|waybill\.)/

/** Bits of a mode: everybody but the owner may read, write or search; only owners remove their files (as in /tmp). */
export const openToOthers = 0o077
const sharedOnPurpose = 0o1000

/**
 * Takes a data directory, and what the server made in it, from everybody but its owner: 0700 for directories, 0600 for
 * files. Windows has no such modes. The caller holds the directory's lock.
 * @returns sentences for whoever runs the server about what was changed and what cannot be; none when all was private.
 */
export const makePrivate = (directory: string): string[] => {
  if (process.platform === 'win32') return []
  const own = readdirSync(directory).filter((name) => made.test(name))
  const inside = own.flatMap((name) => {
    const path = join(directory, name)
    return lstatSync(path).isDirectory() ? [path, ...pathsIn(path)] : [path]
  })
  const results = [directory, ...inside].map(closeToOthers)
  const count = (wanted: Result): number => results.filter((result) => result === wanted).length
  return [
    ...(count('closed') > 0
      ? [
          `Other users of this machine could open ${count('closed')} files and directories in ${directory}; they no longer can.`,
        ]
      : []),
    ...(count('refused') > 0
      ? [
          `Other users of this machine can open ${count('refused')} files and directories in ${directory}, which this user may not change. Run, as their owner: chmod -R go= ${directory}`,
        ]
      : []),
  ]
}

const pathsIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true }).map(({ parentPath, name }) => join(parentPath, name))

type Result = 'private' | 'closed' | 'refused'

const closeToOthers = (path: string): Result => {
  const stat = lstatSync(path)
  // The mode of a link means nothing, and what it leads to may be shared.
  if (stat.isSymbolicLink() || (stat.mode & openToOthers) === 0 || (stat.mode & sharedOnPurpose) !== 0) return 'private'
  try {
    chmodSync(path, stat.isDirectory() ? 0o700 : 0o600)
    return 'closed'
  } catch {
    return 'refused'
  }
}
