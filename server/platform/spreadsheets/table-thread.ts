import { on } from 'node:events'
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { FileSink } from './file-sink.ts'
import { Progress } from './progress.ts'
import { TooManyRows, type TableFile, type TableFormat, type Written } from './table-file.ts'
import type { TableWriting } from './table-writing.ts'

/** Writes one file, in a thread of its own: making the cells of a large one takes seconds, which no request should wait. */

export type TableStart = Pick<TableFile, 'format' | 'columns' | 'path'>

export type ToTableThread =
  | { readonly kind: 'block'; readonly block: ArrayBuffer; readonly length: number }
  | { readonly kind: 'end' }

export type FromTableThread =
  /** One that was read, to be filled again. */
  | { readonly kind: 'block'; readonly block: ArrayBuffer }
  | { readonly kind: 'progress'; readonly rows: number }
  | { readonly kind: 'written'; readonly written: Written }
  | { readonly kind: 'too many rows'; readonly rows: number }
  | { readonly kind: 'failed'; readonly error: unknown }

if (parentPort === null) throw new Error('This module runs in a thread.')
const port = parentPort
const post = (message: FromTableThread, moved: readonly ArrayBuffer[] = []): void => port.postMessage(message, moved)

/** Loaded when they are wanted: the one for xls is a megabyte of source. */
const writers: Readonly<Record<TableFormat, () => Promise<(writing: TableWriting) => Promise<void>>>> = {
  csv: async () => (await import('./write-csv.ts')).writeCsv,
  xls: async () => (await import('./write-xls.ts')).writeXls,
  xlsx: async () => (await import('./write-xlsx.ts')).writeXlsx,
}

async function* sentBlocks(): AsyncGenerator<Buffer> {
  for await (const [message] of on(port, 'message') as AsyncIterable<[ToTableThread]>) {
    if (message.kind === 'end') return
    const { block, length } = message
    yield Buffer.from(block, 0, length)
    post({ kind: 'block', block }, [block])
  }
}

const write = async ({ format, columns, path }: TableStart): Promise<Written> => {
  const writeFormat = await writers[format]()
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
 * would be that of the whole process. From here on nothing may start a thread, as loading a module or any other asynchronous work
 * with files does: it would have this priority, and the process would keep it for other work.
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
