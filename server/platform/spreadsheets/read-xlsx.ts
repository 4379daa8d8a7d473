import { Worker } from 'node:worker_threads'
import { limitConcurrency } from '../limit-concurrency.ts'
import { checkUnfoldedSize, SheetTooLarge, UnreadableSheet } from './unfolded-size.ts'
import type { FromReadingThread, SheetRow, XlsxReading } from './xlsx-reading-thread.ts'

export { SheetTooLarge, UnreadableSheet } from './unfolded-size.ts'

interface Limits {
  readonly maxRows: number
  readonly maxColumns: number
}

const usualMs = 10_000
const memoryMb = 256

/** Two files of strangers in memory are enough, whoever sent them. */
const limited = limitConcurrency(2)

/**
 * Reads the first sheet of an xlsx that a stranger sent, up to so many rows with something in them. A formula is what it came to
 * when the file was saved. The thread that reads has so much memory and time, and others are answered meanwhile.
 * @param maxMs how long that may be.
 * @throws UnreadableSheet when the file is none; SheetTooLarge when reading it takes more than it may.
 */
export const readXlsx = async (bytes: Buffer, limits: Limits, maxMs = usualMs): Promise<SheetRow[]> =>
  limited(async () => {
    checkUnfoldedSize(bytes)
    return readInThread({ bytes, ...limits }, maxMs)
  })

const readInThread = async (reading: XlsxReading, maxMs: number): Promise<SheetRow[]> => {
  const { promise, resolve, reject } = Promise.withResolvers<SheetRow[]>()
  const worker = new Worker(new URL('xlsx-reading-thread.ts', import.meta.url), {
    workerData: reading,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16 },
  })
  worker.on('message', (message: FromReadingThread) => {
    if (message.kind === 'read') resolve([...message.rows])
    else if (message.kind === 'too large') reject(new SheetTooLarge(message.message))
    else reject(new UnreadableSheet(message.message))
  })
  worker.on('error', (error) => reject(whyDied(error)))
  worker.on('exit', () => reject(new UnreadableSheet('Reading it ended in the middle.')))
  const timer = setTimeout(() => reject(new SheetTooLarge(`It takes more than ${maxMs} ms.`)), maxMs)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    // When this answers nothing of it goes on.
    await worker.terminate()
  }
}

/** What the thread dies of is the fault of the file, also where it is one of the library. */
const whyDied = (error: unknown): Error =>
  (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new SheetTooLarge(`It takes more than ${memoryMb} MB.`)
    : new UnreadableSheet('Reading it failed.', { cause: error })
