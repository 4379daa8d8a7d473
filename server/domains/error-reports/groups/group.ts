export const groupStates = ['open', 'resolved', 'ignored'] as const
export type GroupState = (typeof groupStates)[number]

/** Failures with one cause, as far as their fingerprint shows. */
export interface Group {
  readonly id: number
  readonly algorithm: number
  readonly channelId: number | null
  readonly actionContentType: number
  /** `error_desc` of the first failure. */
  readonly title: string
  /** The error code without what changes from failure to failure. */
  readonly codePattern: string
  readonly state: GroupState
  readonly assignee: number | null
  readonly note: string
  readonly firstSeenAt: Date
  readonly lastSeenAt: Date
  /** Failures ever. */
  readonly count: number
  /** Of those, the reports that are open. */
  readonly openCount: number
  readonly resolvedAt: Date | null
  readonly resolvedBy: number | null
  /** When a failure last came after the group had been resolved. */
  readonly regressedAt: Date | null
}
