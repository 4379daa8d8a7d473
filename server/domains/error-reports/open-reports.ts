import type { Db, Tx } from '#platform/db/database.ts'
import type { FailureSource } from '#failures/own-failure.ts'

/** Kinds of places that channels name in ways of their own. */
export const placeTypes = ['city', 'township', 'district'] as const
export type PlaceType = (typeof placeTypes)[number]
/** What is not known here is above the place in the atlas: a city's country, a township's city, a district's township. */
export const parentOf = { city: 'country_id', township: 'city_id', district: 'township_id' } as const

/** How a channel calls a place. */
export interface PlaceName {
  readonly channelId: number
  readonly placeType: PlaceType
  readonly remoteCode: string
}

/** Which reports: those of a group, or those of a place name. */
export type ReportsOf = { readonly groupId: number } | PlaceName

export interface Resolution {
  readonly how: 'resolved_all' | 'mapped' | 'retried'
  /** User who did so. */
  readonly by: number | null
  readonly at: Date
}

export type ChangeKind = 'resolve' | 'reopen'

/** Reports that somebody resolved or reopened at once: those that were last changed at its time. */
export interface ReportChange {
  readonly id: number
  readonly kind: ChangeKind
  readonly changedBy: number
  readonly changedAt: Date
}

export interface OpenReport {
  readonly id: number
  readonly channelId: number | null
  readonly actionContentType: number
  readonly actionObjectId: number
  /** What knows how to try it again; null for failures of others. */
  readonly source: FailureSource | null
}

/** An open report, to be shown with the number of those like it. */
export interface SampledReport {
  readonly id: number
  readonly groupId: number | null
  readonly errorCode: string
  /** The beginning of it. */
  readonly errorDesc: string
  readonly createdAt: Date
}

/** Which of them to list. */
export interface Range {
  readonly afterId: number
  /** Inclusive. */
  readonly upToId: number
  readonly limit: number
  /** Without those that somebody had tried again at that time or later. */
  readonly notRetriedSince?: Date | undefined
}

/**
 * What groups and places may do with reports that are open (`is_ok` false). Implemented by the slice `reports`, and
 * handed to them by the domain's index, because that slice uses them already.
 */
export interface OpenReports {
  /** How many are open, and the id of the newest of them (0 when there is none). */
  count(db: Db | Tx, of: ReportsOf): Promise<{ readonly count: number; readonly newestId: number }>
  /** The newest of them. */
  sample(db: Db | Tx, of: ReportsOf, limit: number): Promise<readonly SampledReport[]>
  /** Some of them, oldest first. */
  list(db: Db | Tx, of: ReportsOf, range: Range): Promise<readonly OpenReport[]>
  /** Writes down that somebody resolves many, for an undo: they are resolved at its time. Takes the lock of all changes. */
  beginResolving(tx: Tx, changedBy: number, now: Date): Promise<ReportChange>
  /** Whether somebody undid it, so that nothing more is to be resolved. */
  isUndone(tx: Tx, change: number): Promise<boolean>
  /** Keeps other changes of reports waiting until `tx` ends: what is listed after it stays as it is. */
  lock(tx: Tx): Promise<void>
  /** Writes down that somebody had these tried again. The caller holds the lock of all changes. */
  markRetried(tx: Tx, ids: readonly number[], asked: { readonly by: number; readonly at: Date }): Promise<void>
  /**
   * Resolves the oldest of them up to an id, at most `limit`: sets `is_ok`, and who, when and how; keeps the counts of
   * groups (`changeOpenCounts`) and lists. Locks reports in the order of their ids, and groups after them.
   * @returns how many it resolved; less than `limit` when none is left.
   */
  resolve(
    tx: Tx,
    of: ReportsOf,
    resolution: Resolution,
    range: { readonly upToId: number; readonly limit: number },
  ): Promise<number>
}
