import { dayMs } from '#platform/clock.ts'
import type { TableFile, TableFormat, Written } from '#platform/spreadsheets/table-file.ts'
import type { RowKind } from './fields.ts'

export const exportStatuses = ['waiting', 'processing', 'completed', 'failed'] as const
export type ExportStatus = (typeof exportStatuses)[number]

/** What somebody asked for. */
export interface ExportRequest {
  readonly userId: number
  /** null: quotations with their orders; otherwise the items of this one. */
  readonly quotationId: number | null
  readonly format: TableFormat
  /** Names of the columns, in order. */
  readonly fields: readonly string[]
  /** Filters and order of the list, and the most quotations or items there may be. */
  readonly query: ExportQuery
}

export type ExportQuery = Readonly<Record<string, unknown>> & {
  readonly limit?: number
  readonly ordering?: string
  /** Of quotations; unless said otherwise, orders. */
  readonly rows?: RowKind
}

/** A request and how far it is. */
export interface Export extends ExportRequest {
  readonly id: number
  /** What its user, and nobody else, asks by. */
  readonly cacheKey: string
  readonly status: ExportStatus
  /** Tries that were begun. */
  readonly attempt: number
  readonly rowsDone: number
  /** Unknown until somebody has begun. */
  readonly rowsTotal: number | null
  /** Why it failed, or the last try did, in words for its user. */
  readonly error: string | null
  /** Key of the finished file in the store, and its size. */
  readonly file: string | null
  readonly bytes: number | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
  /** From then on nothing is known of it any more. */
  readonly expiresAt: Date
}

/** How long a file is kept: as long as its link is good (24 h). */
export const keptMs = dayMs

/** Key of the file that a try makes. No two tries share one, so none can finish what another has begun. */
export const fileKey = ({ id, format }: Pick<Export, 'id' | 'format'>, attempt: number): string =>
  `${fileKeyPrefix}${id}-${attempt}.${format}`

/** How all those keys begin. */
export const fileKeyPrefix = 'export-'

/** Makes files of tables and keeps them until they are fetched. */
export interface ExportFiles {
  /** Writes a table on this machine. @throws TooManyRows; whatever reading the rows throws. */
  write(key: string, table: Omit<TableFile, 'path'>): Promise<Written>
  /** Puts what was written under its key where everybody finds it, whole or not at all. */
  keep(key: string, options: { readonly format: TableFormat; readonly signal: AbortSignal }): Promise<void>
  /** Removes what there is of it, written or kept. */
  remove(key: string): Promise<void>
}
