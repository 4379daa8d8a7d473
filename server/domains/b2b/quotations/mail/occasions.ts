/**
 * Who is told of something. `owner`: who made the quotation; `main`: the users of the main division, when the owner is of a
 * branch; `assignee`: who works on it in the back office; `seller`: the assignee, or superusers while there is none.
 */
export type Recipient = 'owner' | 'main' | 'assignee' | 'seller'

export interface OccasionRules {
  readonly recipients: readonly Recipient[]
  /** Says when the quotation expires. */
  readonly showsExpiry?: boolean
  /** Goes also to whoever did it, who keeps it. */
  readonly includesDoer?: boolean
}

/** What e-mails about quotations are sent for. What they say is in `words-en.ts` and `words-tr.ts`. */
export const occasions = {
  requested: { recipients: ['main'], showsExpiry: true },
  pending: { recipients: ['seller'], showsExpiry: true },
  recalled: { recipients: ['owner'] },
  offered: { recipients: ['owner'], showsExpiry: true },
  reminded: { recipients: ['owner'], showsExpiry: true },
  approved: { recipients: ['owner', 'main'], includesDoer: true },
  rejected: { recipients: ['owner'] },
  rejected_by_main: { recipients: ['owner'] },
  expired: { recipients: ['owner'] },
  accepted: { recipients: ['seller'] },
  refused: { recipients: ['seller'] },
  refused_by_main: { recipients: ['seller'] },
  cancelled: { recipients: ['seller'] },
  order_failed: { recipients: ['seller'] },
  order_given_up: { recipients: ['seller'] },
  answered: { recipients: ['assignee'] },
  commented: { recipients: ['owner'] },
  expiring_seller: { recipients: ['seller'], showsExpiry: true },
  expiring_owner: { recipients: ['owner'], showsExpiry: true },
} as const satisfies Readonly<Record<string, OccasionRules>>

/** What a notice is about. */
export type Occasion = keyof typeof occasions
