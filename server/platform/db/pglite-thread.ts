import { parentPort, workerData } from 'node:worker_threads'
import { PGlite, protocol } from '@electric-sql/pglite'
import { DurableFiles } from './durable-files.ts'
import { prepareDirectory } from './prepare-directory.ts'

/**
 * The embedded database in a thread of its own: it computes on the thread that calls it, and requests
 * and deliveries should not wait for its queries on the main one. It is spoken to in PostgreSQL's own
 * protocol, so the main thread uses the same client as for a server.
 */

export interface PgliteStart {
  /** Where the files live; without it the database is in memory. */
  readonly directory?: string
  /** A dumped data directory to start from. */
  readonly loadDataDir?: Uint8Array
}

/** Bytes are messages of the protocol; words are what the protocol has none for. */
export type ToPglite = Uint8Array | 'sync-log' | 'dump' | 'close'

export type FromPglite =
  | { readonly kind: 'open' }
  | { readonly kind: 'failed'; readonly message: string }
  /** The log is ahead when something that the answer shows is not on the disk yet. */
  | { readonly kind: 'answer'; readonly bytes: Uint8Array; readonly isLogAhead: boolean }
  | { readonly kind: 'log-synced' }
  | { readonly kind: 'dump'; readonly bytes: Uint8Array }
  | { readonly kind: 'closed' }

const port = parentPort
if (port === null) throw new Error('This module runs in a thread.')
const post = (message: FromPglite): void => port.postMessage(message)

/** All of PostgreSQL's usual 128 MB would be resident from the start; the operating system caches the files as well. */
const sharedBuffers = '32MB'

const { directory, loadDataDir } = workerData as PgliteStart
const files = directory === undefined ? undefined : new DurableFiles(directory)
const parameters = (settings: Readonly<Record<string, string>>): string[] =>
  Object.entries({ shared_buffers: sharedBuffers, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
/** `durable-files.ts` and `commit-group.ts` say what they are for. */
const durableParameters = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...parameters({ fsync: 'on', full_page_writes: 'on', wal_sync_method: 'fsync', synchronous_commit: 'off' }),
]

const open = async (): Promise<PGlite> => {
  if (directory !== undefined) await prepareDirectory(directory)
  const pglite = await PGlite.create({
    startParams: files === undefined ? [...PGlite.defaultStartParams, ...parameters({})] : durableParameters,
    ...(files === undefined ? {} : { fs: files }),
    ...(loadDataDir === undefined ? {} : { loadDataDir: new Blob([new Uint8Array(loadDataDir)]) }),
  })
  await pglite.exec(`set timezone = 'UTC'`)
  await pglite.exec(`
    prepare waybill_log_ahead as select 1 where pg_current_wal_insert_lsn() > pg_current_wal_flush_lsn();
    prepare waybill_sync_log as select pg_logical_emit_message(false, 'waybill', '', true)`)
  return pglite
}

const logAhead = protocol.serialize.query('execute waybill_log_ahead')
const syncLog = protocol.serialize.query('execute waybill_sync_log')
const oneRow = 'SELECT 1\0'

/** @throws Error when something could not be synced: answers are worth nothing from then on. */
const ask = async (pglite: PGlite, message: Uint8Array): Promise<Uint8Array> => {
  const bytes = message[0] === startup ? await pglite.execProtocolRaw(message) : await stream(pglite, message)
  if (files?.failure !== undefined) throw files.failure
  return bytes
}

/** The first message of a connection has no letter, and its answer is not streamed. */
const startup = 0

/** `execProtocolRaw` would also parse the answer, and keep every parsed message for as long as the database is open. */
const stream = async (pglite: PGlite, message: Uint8Array): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  // A chunk is a view of the database's memory, which changes.
  await pglite.execProtocolRawStream(message, { onRawData: (chunk) => void chunks.push(chunk.slice()) })
  const [only] = chunks
  // Posting one part of a larger buffer would copy all of it.
  return chunks.length === 1 && only !== undefined ? only : new Uint8Array(Buffer.concat(chunks))
}

/** 17 µs. A transaction that is still open cannot be answered for, so it is not asked there. */
const isLogAhead = async (pglite: PGlite, answered: Uint8Array): Promise<boolean> => {
  if (files === undefined) return false
  if (answered.at(-1) !== idle) return true
  return isOneRow(await ask(pglite, logAhead))
}
const idle = 'I'.charCodeAt(0)
const isOneRow = (answer: Uint8Array): boolean => Buffer.from(answer).includes(oneRow)

const answer = async (pglite: PGlite, message: ToPglite): Promise<void> => {
  if (message === 'dump') {
    const dump = await pglite.dumpDataDir('none')
    return post({ kind: 'dump', bytes: new Uint8Array(await dump.arrayBuffer()) })
  }
  if (message === 'close') {
    await pglite.close()
    post({ kind: 'closed' })
    return port.close()
  }
  if (message === 'sync-log') {
    if (!isOneRow(await ask(pglite, syncLog))) throw new Error('The log of the embedded database could not be synced.')
    return post({ kind: 'log-synced' })
  }
  const bytes = await ask(pglite, message)
  post({ kind: 'answer', bytes, isLogAhead: await isLogAhead(pglite, bytes) })
}

/** Emscripten's errors of files are no `Error`, and have numbers of their own. */
const reasonOf = (error: unknown): string => {
  const errno = Number(Reflect.get(Object(error), 'errno'))
  return errno === noSpace
    ? `the disk of ${directory} is full. Make room on it.`
    : `error ${errno} of its files (Emscripten).`
}
const noSpace = 51

try {
  const pglite = await open()
  // One after the other, in the order of asking.
  let last: Promise<void> = Promise.resolve()
  const answerAfter = async (before: Promise<void>, message: ToPglite): Promise<void> => {
    await before
    await answer(pglite, message)
  }
  port.on('message', (message: ToPglite) => {
    last = answerAfter(last, message)
  })
  post({ kind: 'open' })
} catch (error) {
  post({ kind: 'failed', message: error instanceof Error ? error.message : reasonOf(error) })
  port.close()
}
