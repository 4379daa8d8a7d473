// To be imported before anything else (`--import`): writes down, in every thread of the process, what is done to the files
// under POWER_DISK, into a file for each thread beside it. See `journal.ts`.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { getEnvironmentData, setEnvironmentData, threadId } from 'node:worker_threads'
import type { Entry } from './journal.ts'

const disk = process.env['POWER_DISK'] ?? ''
const counterName = 'waybill power counter'
const shared = getEnvironmentData(counterName) as unknown
const counter = new Int32Array(shared instanceof SharedArrayBuffer ? shared : new SharedArrayBuffer(4))
setEnvironmentData(counterName, counter.buffer)

const original = { ...fs }
const journal = fs.openSync(`${disk}.journal.${threadId}`, 'w')
const paths = new Map<number, string>()

/** After the fact, so that whatever is numbered before a sync was on its way to the disk before it. */
const record = (entry: Entry, data: Uint8Array = new Uint8Array()): void => {
  const number = Atomics.add(counter, 0, 1)
  const head = Buffer.from(`${JSON.stringify({ number, length: data.length, ...entry })}\n`)
  original.writeSync(journal, Buffer.concat([head, data]))
}
Object.assign(globalThis, { recordAnswer: (name: string, value: number) => record({ kind: 'answered', name, value }) })

const isOnDisk = (path: unknown): path is string => typeof path === 'string' && `${path}/`.startsWith(`${disk}/`)
const truncates = (flags: unknown): boolean =>
  flags === 'w' || (typeof flags === 'number' && (flags & fs.constants.O_TRUNC) !== 0)

const recorded: Partial<Record<keyof typeof fs, (...rest: never[]) => unknown>> = {
  openSync: (path: string, flags?: string | number, mode?: number) => {
    const isNew = isOnDisk(path) && !original.existsSync(path)
    const descriptor = original.openSync(path, flags ?? 'r', mode)
    if (!isOnDisk(path)) return descriptor
    paths.set(descriptor, path)
    if (isNew) record({ kind: 'create', path })
    record({ kind: 'open', path, descriptor })
    if (!isNew && truncates(flags)) record({ kind: 'truncate', descriptor, size: 0 })
    return descriptor
  },
  closeSync: (descriptor: number) => {
    original.closeSync(descriptor)
    paths.delete(descriptor)
  },
  writeSync: (descriptor: number, ...[bytes, offset, length, position]: [Uint8Array, number, number, number]) => {
    const written = original.writeSync(descriptor, bytes, offset, length, position)
    if (paths.has(descriptor))
      record({ kind: 'write', descriptor, position }, Buffer.from(bytes.buffer, bytes.byteOffset + offset, written))
    return written
  },
  ftruncateSync: (descriptor: number, size = 0) => {
    original.ftruncateSync(descriptor, size)
    if (paths.has(descriptor)) record({ kind: 'truncate', descriptor, size })
  },
  fsyncSync: (descriptor: number) => {
    original.fsyncSync(descriptor)
    const path = paths.get(descriptor)
    if (path !== undefined) record({ kind: 'sync', path })
  },
  mkdirSync: (path: string, options?: fs.MakeDirectoryOptions) => {
    const made = original.mkdirSync(path, options)
    if (isOnDisk(path)) record({ kind: 'mkdir', path })
    return made
  },
  renameSync: (from: string, to: string) => {
    original.renameSync(from, to)
    if (isOnDisk(from)) record({ kind: 'rename', from, to })
  },
  unlinkSync: (path: string) => {
    original.unlinkSync(path)
    if (isOnDisk(path)) record({ kind: 'remove', path })
  },
  rmdirSync: (path: string) => {
    original.rmdirSync(path)
    if (isOnDisk(path)) record({ kind: 'remove', path })
  },
}
Object.assign(fs, recorded)

const { open } = fs.promises
fs.promises.open = async (path, ...rest) => {
  const handle = await open(path, ...rest)
  if (isOnDisk(path)) {
    const sync = handle.sync.bind(handle)
    handle.sync = async () => {
      await sync()
      record({ kind: 'sync', path })
    }
  }
  return handle
}
syncBuiltinESMExports()
