import { TableThread } from './table-thread-handle.ts'
import type { TableFile, TableFormat, Written } from './table-file.ts'

/**
 * Writes rows to a file that is on the disk when this answers. A thread of its own with a low priority does the work; this
 * one only hands bytes on, so requests do not wait for it.
 * @param memoryMb what the thread's objects may take, beside its buffers.
 * @throws TooManyRows when the format does not hold them; the signal's reason; what `rows` throws; what befell the thread.
 */
export const writeTableFile = async (file: TableFile, memoryMb = memoryMbOf[file.format]): Promise<Written> => {
  const { format, columns, path, rows, signal, onProgress } = file
  signal.throwIfAborted()
  const thread = new TableThread({ format, columns, path }, { memoryMb, onProgress })
  const stop = (): void => thread.fail(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  const feeding = thread.feed(rows)
  try {
    const [written] = await Promise.all([thread.written, feeding])
    return written
  } catch (error) {
    thread.fail(error)
    // Rows that end because of the signal may say so in words of their own.
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    // When this answers nothing of it goes on, neither the thread nor the reading of rows.
    await Promise.allSettled([feeding, thread.ended])
  }
}

/** Of an xls a digest of each text is in memory, of the others a few rows are. */
export const memoryMbOf: Readonly<Record<TableFormat, number>> = { csv: 64, xlsx: 128, xls: 512 }
