import { on } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { lowerPriority } from './lower-priority.ts'
import { TooManyRows, type TableFile, type TableFormat, type Written } from './table-file.ts'
import { FileSink, MemorySink, Progress, type TableSink, type TableWriting } from './table-writing.ts'
import { writeCsv } from './write-csv.ts'
import { writeXls } from './write-xls.ts'

/** Writes one file, in a thread of its own: making the cells of a large one takes seconds, which no request should wait. */

/** Without a path the file is handed over. */
export type TableStart = Pick<TableFile, 'format' | 'columns'> & Partial<Pick<TableFile, 'path'>>

export interface ThreadWritten extends Written {
  /** Of a file without a path. */
  readonly content?: Uint8Array
}

/** Bytes of the rows, or their end. */
type ToTableThread = Uint8Array<ArrayBuffer> | 'end'

export type FromTableThread =
  | { readonly kind: 'read' }
  | { readonly kind: 'progress'; readonly rows: number }
  | { readonly kind: 'written'; readonly written: ThreadWritten }
  | { readonly kind: 'too many rows'; readonly rows: number }
  | { readonly kind: 'failed'; readonly error: unknown }

if (parentPort === null) throw new Error('This module runs in a thread.')
const port = parentPort
const post = (message: FromTableThread): void => port.postMessage(message)

/** The one for xlsx is loaded when it is wanted: its library is large. */
const writers: Readonly<Record<TableFormat, () => Promise<(writing: TableWriting) => Promise<void>>>> = {
  csv: async () => writeCsv,
  xls: async () => writeXls,
  xlsx: async () => (await import('./write-xlsx.ts')).writeXlsx,
}

async function* sentBlocks(): AsyncGenerator<Buffer> {
  for await (const [message] of on(port, 'message') as AsyncIterable<[ToTableThread]>) {
    if (message === 'end') return
    yield Buffer.from(message.buffer, 0, message.length)
    post({ kind: 'read' })
  }
}

const write = async ({ path, ...start }: TableStart): Promise<ThreadWritten> => {
  if (path === undefined) {
    const memory = new MemorySink()
    return { ...(await writeTo(memory, start)), content: memory.content }
  }
  const file = new FileSink(path)
  try {
    const written = await writeTo(file, start)
    file.flush()
    return written
  } finally {
    file.close()
  }
}

const writeTo = async (sink: TableSink, { format, columns }: Omit<TableStart, 'path'>): Promise<Written> => {
  const writeFormat = await writers[format]()
  await lowerPriority()
  const progress = new Progress(format, (rows) => post({ kind: 'progress', rows }))
  await writeFormat({ columns, blocks: sentBlocks(), sink, progress })
  return { rows: progress.rows, bytes: sink.bytes }
}

try {
  post({ kind: 'written', written: await write(workerData as TableStart) })
} catch (error) {
  post(error instanceof TooManyRows ? { kind: 'too many rows', rows: error.rows } : { kind: 'failed', error })
}
port.close()
