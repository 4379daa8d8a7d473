import type { Db, Tx } from '#platform/db/database.ts'

/** What of our own can fail and be tried again. */
export const failureSources = ['delivery', 'order', 'export'] as const
export type FailureSource = (typeof failureSources)[number]

/** An object as people know it, and where the API shows it, from the root of this server. */
export interface Shown {
  readonly label: string
  readonly path: string | null
}

/** A thing of our own that can fail: there is one open report of it at most. */
export interface OwnObject {
  readonly source: FailureSource
  readonly actionObjectId: number
}

/** Something that this server did not get done. */
export interface OwnFailure extends OwnObject {
  readonly actionContentType: number
  readonly action: Shown
  readonly targetContentType: number | null
  readonly targetObjectId: string | null
  readonly target: Shown | null
  /** When it failed. */
  readonly at: Date
  /** The cause in a word, such as `http_500`, and in a sentence. */
  readonly errorCode: string
  readonly errorDesc: string
  /** What was sent and answered; credentials are masked when it is stored. */
  readonly rawRequest: string | null
  readonly rawResponse: string | null
}

/** Keeps reports of what this server does itself, in the transaction that finds out. */
export interface OwnFailures {
  /** Makes a report of each; of one that has an open report that one is renewed. */
  report(tx: Tx, failures: readonly OwnFailure[]): Promise<void>
  /** Resolves the open reports of what works now. */
  resolve(tx: Tx, objects: readonly OwnObject[]): Promise<void>
  /** Keeps other changes of reports waiting until `tx` ends. Whoever then calls `retried` takes it before any other lock. */
  lockReports(tx: Tx): Promise<void>
  /** Writes down who had these tried again, by other means than their reports. The caller holds the lock of all changes. */
  retried(tx: Tx, objects: readonly OwnObject[], by: number): Promise<void>
  /** Ids of the open reports of these objects, by the id of the object. */
  openReports(
    db: Db | Tx,
    source: FailureSource,
    actionObjectIds: readonly number[],
  ): Promise<ReadonlyMap<number, number>>
}
