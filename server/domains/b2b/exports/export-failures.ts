import type { Tx } from '#platform/db/database.ts'

/** An export that was given up, for whoever finds out why. */
export interface ExportFailure {
  readonly exportId: number
  /** What was exported, as people know it. */
  readonly label: string
  /** null: of all quotations. */
  readonly quotationId: number | null
  readonly at: Date
  readonly errorDesc: string
  /** What was asked for, as JSON. */
  readonly request: string
}

/** Keeps the error reports of exports: of each one at most is open. Both take the turn of all who change reports, so they come first in `tx`. */
export interface ExportFailures {
  report(tx: Tx, failure: ExportFailure): Promise<void>
  resolve(tx: Tx, exportId: number): Promise<void>
}

/** What became of an export that somebody wants to have tried again; undefined when it is gone. */
export type Revived = 'waiting' | 'completed' | undefined
