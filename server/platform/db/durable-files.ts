import { fsyncSync } from 'node:fs'
import { dirname } from 'node:path'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { openToOthers } from './private-files.ts'
import { syncDirectory } from './sync-files.ts'

/**
 * The files of the embedded database, on a disk that keeps them through a loss of power. As published, the database
 * writes files and never syncs them.
 *
 * PostgreSQL itself says when which file has to be on the disk: the write-ahead log before the data it describes and
 * before a commit counts as done, data before the log is thrown away, `pg_control` and renamed files at once. Every one
 * of these calls is carried out here before PostgreSQL goes on; none is put off or left out. Three things are ours:
 *
 * - The settings ask for the calls: no `-F`, and `wal_sync_method=fsync`, because WebAssembly has no fdatasync.
 * - PostgreSQL leaves it to the file system that the name of a new table's file is on the disk with its content. POSIX
 *   does not promise that, so the first sync of a file with a new name syncs its directory too.
 * - After a crash PostgreSQL syncs every file that it finds, before it changes the first one. Whoever opens the
 *   database does that beforehand, many files at a time (`syncTree`), so these calls have nothing left to do.
 *
 * Answers wait for commits in `commit-group.ts`.
 */
export class DurableFiles extends NodeFS {
  /** Why something could not be synced. PostgreSQL then ends in a way that looks like an answer, so nothing of it may be believed. */
  failure: Error | undefined
  /** Whether anything was written since the database was opened, but for the file with the process id. */
  #isChanged = false
  /** Directories with new names that are not on the disk. */
  readonly #renamed = new Set<string>()

  override async init(...[pglite, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pglite, options)
    const preRun = [...(emscriptenOpts.preRun ?? [])]
    preRun.push((module: { readonly NODEFS: NodeFiles }) => this.#connect(module.NODEFS))
    return { emscriptenOpts: { ...emscriptenOpts, preRun } }
  }

  #connect(files: NodeFiles): void {
    const { node_ops: names, stream_ops: contents } = files
    const { mknod, setattr } = names
    // It gives every file that it makes the mode 0666, and so goes around the umask of the process.
    names.setattr = (node, attributes) =>
      setattr(
        node,
        attributes.mode === undefined ? attributes : { ...attributes, mode: attributes.mode & ~openToOthers },
      )
    names.mknod = (directory, ...rest) => {
      const made = mknod(directory, ...rest)
      this.#renamed.add(files.realPath(directory))
      return made
    }
    const { write } = contents
    contents.write = (file, ...rest) => {
      this.#isChanged ||= file.node.name !== 'postmaster.pid'
      return write(file, ...rest)
    }
    contents.fsync = (file) => {
      const directory = dirname(files.realPath(file.node))
      files.tryFSOperation(() => this.#sync(file.nfd, directory))
      return 0
    }
  }

  #sync(descriptor: number, directory: string): void {
    if (!this.#isChanged) return
    try {
      fsyncSync(descriptor)
      if (this.#renamed.delete(directory)) syncDirectory(directory)
    } catch (error) {
      this.failure ??= error as Error
      throw error
    }
  }
}

/** The part of Emscripten's file system over `node:fs` that is used here; it has no types of its own. */
interface NodeFiles {
  realPath(node: FileNode): string
  /** Turns errors of Node.js into error numbers. */
  tryFSOperation(operation: () => void): void
  readonly node_ops: {
    mknod(directory: FileNode, ...rest: unknown[]): FileNode
    setattr(node: FileNode, attributes: { readonly mode?: number }): void
  }
  readonly stream_ops: {
    write(file: OpenFile, ...rest: unknown[]): number
    fsync?(file: OpenFile): number
  }
}

interface FileNode {
  readonly name: string
}

interface OpenFile {
  readonly node: FileNode
  /** Descriptor of Node.js. */
  readonly nfd: number
}
