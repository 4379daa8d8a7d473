import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'

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
export type ToPglite = Uint8Array | 'dump' | 'close'

export type FromPglite =
  | { readonly kind: 'open' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'answer'; readonly bytes: Uint8Array }
  | { readonly kind: 'dump'; readonly bytes: Uint8Array }
  | { readonly kind: 'closed' }

const port = parentPort
if (port === null) throw new Error('This module runs in a thread.')
const post = (message: FromPglite): void => port.postMessage(message)

/** All of PostgreSQL's usual 128 MB would be resident from the start; the operating system caches the files as well. */
const sharedBuffers = '32MB'

const open = async ({ directory, loadDataDir }: PgliteStart): Promise<PGlite> => {
  const pglite = await PGlite.create({
    startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${sharedBuffers}`],
    ...(directory === undefined ? {} : { dataDir: directory }),
    ...(loadDataDir === undefined ? {} : { loadDataDir: new Blob([new Uint8Array(loadDataDir)]) }),
  })
  await pglite.exec(`set timezone = 'UTC'`)
  return pglite
}

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
  post({ kind: 'answer', bytes: await pglite.execProtocolRaw(message) })
}

try {
  const pglite = await open(workerData as PgliteStart)
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
  post({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
  port.close()
}
