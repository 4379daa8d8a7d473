import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Recorded } from './journal.ts'

interface File {
  /** What survives in any case. */
  synced: Buffer
  /** Writes and new sizes since the last sync. */
  pending: Change[]
}

type Change = { readonly position: number; readonly data: Buffer } | { readonly size: number }

interface Directory {
  readonly names: Map<string, Node>
  synced: Map<string, Node>
  /** Names that got another meaning since the last sync, those of a rename together. */
  pending: (readonly (readonly [name: string, node: Node | undefined])[])[]
}

type Node = File | Directory

const newDirectory = (): Directory => ({ names: new Map(), synced: new Map(), pending: [] })
const isDirectory = (node: Node | undefined): node is Directory => node !== undefined && 'names' in node

/**
 * A disk on which, when the power goes, is what was synced, and of everything else as much as chance will have it: parts of
 * writes, some names and not others, in any order.
 */
export class ForgetfulDisk {
  readonly #root = newDirectory()
  readonly #mountedAt: string
  readonly #open = new Map<number, Node>()

  constructor(mountedAt: string) {
    this.#mountedAt = mountedAt
  }

  apply(entry: Recorded): void {
    switch (entry.kind) {
      case 'create':
        return this.#name(entry.path, { synced: Buffer.alloc(0), pending: [] })
      case 'mkdir':
        return this.#name(entry.path, newDirectory())
      case 'remove':
        return this.#name(entry.path, undefined)
      case 'rename':
        return this.#rename(entry.from, entry.to)
      case 'open':
        return void this.#open.set(entry.descriptor, this.#find(entry.path))
      case 'write':
        return this.#change(entry.descriptor, { position: entry.position, data: entry.data })
      case 'truncate':
        return this.#change(entry.descriptor, { size: entry.size })
      case 'sync':
        return sync(this.#find(entry.path))
      case 'answered':
        return
    }
  }

  /** Writes what the power left into a directory of the real disk. The disk itself goes on. */
  cut(target: string, random: () => number): void {
    const cut: Cut = {
      random,
      kept: [0, 0.5, 0.9, 1][Math.floor(random() * 4)] ?? 1,
      piece: random() < 0.5 ? 512 : 4_096,
    }
    writeDirectory(target, this.#root, cut)
  }

  #find(path: string): Node {
    const names = path.slice(this.#mountedAt.length).split('/').filter(Boolean)
    let node: Node = this.#root
    for (const name of names) {
      const next: Node | undefined = isDirectory(node) ? node.names.get(name) : undefined
      if (next === undefined) throw new Error(`The journal knows no ${path}.`)
      node = next
    }
    return node
  }

  #directoryOf(path: string): Directory {
    const directory = this.#find(dirname(path))
    if (!isDirectory(directory)) throw new Error(`${dirname(path)} is no directory.`)
    return directory
  }

  #name(path: string, node: Node | undefined): void {
    set(this.#directoryOf(path), [[basename(path), node]])
  }

  /** The database renames within a directory only. */
  #rename(from: string, to: string): void {
    set(this.#directoryOf(from), [
      [basename(to), this.#find(from)],
      [basename(from), undefined],
    ])
  }

  #change(descriptor: number, change: Change): void {
    const file = this.#open.get(descriptor)
    if (file === undefined || isDirectory(file)) throw new Error(`Descriptor ${descriptor} is no open file.`)
    file.pending.push(change)
  }
}

const set = (directory: Directory, change: Directory['pending'][number]): void => {
  rename(directory.names, change)
  directory.pending.push(change)
}

const rename = (names: Map<string, Node>, change: Directory['pending'][number]): void => {
  for (const [name, node] of change) {
    if (node === undefined) names.delete(name)
    else names.set(name, node)
  }
}

const sync = (node: Node): void => {
  if (isDirectory(node)) node.synced = new Map(node.names)
  else {
    const { synced, pending } = node
    // A file that has the room is written in place: the database syncs one of megabytes with every few commits.
    const content = endOfAll(pending) > synced.length ? enlarged(synced, pending) : synced
    node.synced = written(content, synced.length, pending)
  }
  node.pending = []
}

const endOfAll = (changes: readonly Change[]): number =>
  changes.reduce((end, change) => Math.max(end, endOf(change)), 0)

/** A copy with room for all of the changes at once: a file that grows by each of them would be copied as often. */
const enlarged = (before: Buffer, changes: readonly Change[]): Buffer => {
  const content = Buffer.alloc(Math.max(before.length, endOfAll(changes)))
  before.copy(content)
  return content
}

/** What changes make of the first bytes of a buffer that has room for them. */
const written = (content: Buffer, length: number, changes: readonly Change[]): Buffer => {
  let size = length
  for (const change of changes) {
    if ('data' in change) {
      change.data.copy(content, change.position)
      size = Math.max(size, endOf(change))
    } else {
      content.fill(0, change.size)
      ;({ size } = change)
    }
  }
  return content.subarray(0, size)
}

interface Cut {
  readonly random: () => number
  /** Share of what was not synced that is there nevertheless. */
  readonly kept: number
  /** Bytes that a disk writes whole or not at all. */
  readonly piece: number
}

const writeDirectory = (target: string, directory: Directory, cut: Cut): void => {
  mkdirSync(target, { recursive: true })
  const names = new Map(directory.synced)
  for (const change of directory.pending) if (cut.random() < cut.kept) rename(names, change)
  for (const [name, node] of names) {
    const path = join(target, name)
    if (isDirectory(node)) writeDirectory(path, node, cut)
    else writeFileSync(path, leftOf(node, cut))
  }
}

const leftOf = ({ synced, pending }: File, { random, kept, piece }: Cut): Buffer => {
  const left = pending.flatMap((change) => piecesOf(change, piece)).filter(() => random() < kept)
  return written(enlarged(synced, left), synced.length, left)
}

const piecesOf = (change: Change, piece: number): Change[] => {
  if (!('data' in change)) return [change]
  const { position, data } = change
  const pieces: Change[] = []
  for (let at = 0; at < data.length;) {
    const end = Math.min(data.length, (Math.floor((position + at) / piece) + 1) * piece - position)
    pieces.push({ position: position + at, data: data.subarray(at, end) })
    at = end
  }
  return pieces
}

const endOf = (change: Change): number => ('data' in change ? change.position + change.data.length : change.size)
