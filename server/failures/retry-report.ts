import type { Principal } from '#platform/auth/principal.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { OwnObject } from './own-failure.ts'

/** Whoever wants something tried again, and what decides whether they may. */
export type RetryPrincipal = Pick<Principal, 'userId' | 'isStaff' | 'isSuperuser' | 'scopes'>

export interface RetryContext {
  readonly principal: RetryPrincipal
  readonly requestId: string
}

/**
 * Why nobody here can try something again, or not for whoever asks: `foreign`, it is not ours to do; `forbidden`, they may not;
 * `done`, it has worked since; `gone`, there is nothing left to send or nobody to send it to; `off`, whom it would be sent to
 * is switched off.
 */
export type Obstacle = 'foreign' | 'forbidden' | 'done' | 'gone' | 'off'

/** `started`: it was tried, or will be. */
export type RetryOutcome = 'started' | Obstacle

/** What is known before it is tried: `possible`, nothing stands in its way. */
export type Outlook = 'possible' | Obstacle

/** What of a report says what would be tried again. */
export interface Retryable {
  readonly id: number
  /** Null of what others reported. */
  readonly source: OwnObject['source'] | null
  readonly actionObjectId: number
}

/** Tries again what reports say has failed, where it is something of our own. */
export interface RetryReports {
  /**
   * Has it tried again: it only has it done, with `tx`; what comes of it becomes known later, by the report.
   * @returns what became of each, in their order.
   */
  retry(tx: Tx, reports: readonly Retryable[], context: RetryContext): Promise<readonly RetryOutcome[]>
  /** What would become of each if it were tried now, as far as that is known, in their order. */
  outlook(db: Db | Tx, reports: readonly Retryable[], principal: RetryPrincipal): Promise<readonly Outlook[]>
}
