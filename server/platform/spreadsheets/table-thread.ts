import { on } from 'node:events'
import { access } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { TooManyRows, type TableFile, type TableFormat, type Written } from './table-file.ts'
import { FileSink, Progress, type TableWriting } from './table-writing.ts'
import { writeCsv } from './write-csv.ts'
import { writeXls } from './write-xls.ts'

/** Writes one file, in a thread of its own: making the cells of a large one takes seconds, which no request should wait. */

export type TableStart = Pick<TableFile, 'format' | 'columns' | 'path'>

/** Bytes of the rows, or their end. */
type ToTableThread = Uint8Array<ArrayBuffer> | 'end'

export type FromTableThread =
  | { readonly kind: 'read' }
  | { readonly kind: 'progress'; readonly rows: number }
  | { readonly kind: 'written'; readonly written: Written }
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

const write = async ({ format, columns, path }: TableStart): Promise<Written> => {
  const writeFormat = await writers[format]()
  // Any asynchronous work with files starts the threads that the whole process shares, in which xlsx is compressed.
  await access(dirname(path))
  lowerPriority()
  const sink = new FileSink(path)
  try {
    const progress = new Progress(format, (rows) => post({ kind: 'progress', rows }))
    await writeFormat({ columns, blocks: sentBlocks(), sink, progress })
    sink.flush()
    return { rows: progress.rows, bytes: sink.bytes }
  } finally {
    sink.close()
  }
}

/**
 * Not the lowest, which on a busy machine is next to nothing. Of this thread: on Linux every thread has a priority; elsewhere it
 * would be that of the whole process. From here on nothing may start a thread: it would have this priority, and the process would
 * keep it for other work.
 */
const lowerPriority = (): void => {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
}

try {
  post({ kind: 'written', written: await write(workerData as TableStart) })
} catch (error) {
  post(error instanceof TooManyRows ? { kind: 'too many rows', rows: error.rows } : { kind: 'failed', error })
}
port.close()
