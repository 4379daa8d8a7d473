import type { Static, TObject } from 'typebox'
import type { Tx } from '#platform/db/database.ts'

/** A kind of job: what it is called, what it is given, what it does, and how often that is tried. */
export interface JobDefinition<S extends TObject> {
  /** Name of its queue: letters, digits, `-`, `_` and `.`. Jobs that wait in the database keep it, so it is not changed lightly. */
  readonly name: string
  /** What the data must be, when it is enqueued and again when it is read. Only add optional fields: older jobs may wait. */
  readonly data: S
  /**
   * Does the work, at least once: a process may die after the work and before that is written, so doing it again must
   * do no harm. To throw is to be tried again later; to answer `giveUp` is to fail for good, with the reason.
   */
  readonly handler: (data: Static<S>, run: JobRun) => Promise<JobOutcome>
  /** Called at least once for a job that failed for good: it gave up, ran out of attempts, or died with its process too often. */
  readonly onFailed?: (data: Static<S>, failure: JobFailure) => Promise<void>
  /** Attempts before it has failed. Default: 10. */
  readonly attempts?: number
  /** Wait before the second attempt; doubles each time, with up to as much again at random. Default: 5. */
  readonly firstDelaySeconds?: number
  /** Longest wait between two attempts. Default: 3600. */
  readonly longestDelaySeconds?: number
  /** Jobs of this kind that one process runs at once. Default: 1. */
  readonly concurrency?: number
  /** Time that one attempt may take, at most a day; after it the attempt has failed and its signal is aborted. Default: 900. */
  readonly timeoutSeconds?: number
}

/** What a handler may know about its attempt. */
export interface JobRun {
  /** Stays the same on every attempt, so repeated work can be recognized. */
  readonly id: string
  /** 1 for the first. */
  readonly attempt: number
  /** Aborted when time is up or the process stops. */
  readonly signal: AbortSignal
}

/** Nothing when the work is done. */
export type JobOutcome = undefined | { readonly giveUp: string }

export interface JobFailure {
  readonly id: string
  readonly reason: string
}

export interface EnqueueOptions {
  /**
   * Folds this job into one with the same key that waits: there is one job then, with this data, and it does not start
   * before the transaction has committed. One that runs already has read older state, so it does not count.
   */
  readonly singletonKey?: string
}

/** A defined kind of job. */
export interface Job<T> {
  /**
   * Stores a job with the change that asks for it: it runs if, and only if, `tx` commits. `tx` comes from `inTransaction`.
   * @throws Error when the data is not what the definition says, or the jobs have not been prepared.
   */
  enqueue(tx: Tx, data: T, options?: EnqueueOptions): Promise<void>
}
