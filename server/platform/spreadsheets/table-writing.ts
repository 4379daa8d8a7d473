import type { FileSink } from './file-sink.ts'
import type { Progress } from './progress.ts'
import type { TableColumn } from './table-file.ts'

/** What the writer of a format is given, in the thread. */
export interface TableWriting {
  readonly columns: readonly TableColumn[]
  /** Good until the next one is asked for. */
  readonly blocks: AsyncIterable<Buffer>
  readonly sink: FileSink
  readonly progress: Progress
}
