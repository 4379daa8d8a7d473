/**
 * Who is told of something. `owner`: who made the quotation; `main`: the users of the main division, when the owner is of a
 * branch; `assignee`: who works on it in the back office; `seller`: the assignee, or superusers while there is none.
 */
export type Recipient = 'owner' | 'main' | 'assignee' | 'seller'

export interface Wording {
  readonly recipients: readonly Recipient[]
  /** Follows the name of the quotation, also in the subject. */
  readonly what: string
  /** What that means, or what to do now. */
  readonly advice: string
  /** Says when it expires. */
  readonly showsExpiry?: boolean
  /** Goes also to whoever did it, who keeps it. */
  readonly includesDoer?: boolean
}

/** What the e-mails about quotations say. Nothing in them is a price or a note of the back office. */
export const wordings = {
  requested: {
    recipients: ['main'],
    what: 'waits for the approval of your division',
    advice: 'Somebody of a branch asks for it. It goes on to the seller once your division has approved it.',
    showsExpiry: true,
  },
  pending: {
    recipients: ['seller'],
    what: 'waits for an offer',
    advice: 'Approve it as it is, or set it as a draft, change its terms and send it.',
    showsExpiry: true,
  },
  recalled: {
    recipients: ['owner'],
    what: 'is being changed by the seller',
    advice: 'The offer that you got does not hold any more. You are told when there is another one.',
  },
  offered: {
    recipients: ['owner'],
    what: 'waits for your approval',
    advice: 'The seller made you this offer: approve or reject it.',
    showsExpiry: true,
  },
  reminded: {
    recipients: ['owner'],
    what: 'still waits for your approval',
    advice: 'The seller reminds you of this offer: approve or reject it.',
    showsExpiry: true,
  },
  approved: {
    recipients: ['owner', 'main'],
    what: 'is approved',
    advice: 'Its terms are agreed on, and orders are made of it.',
    includesDoer: true,
  },
  rejected: {
    recipients: ['owner'],
    what: 'was rejected',
    advice: 'The seller rejected it. You can duplicate it into your basket and ask again.',
  },
  rejected_by_main: {
    recipients: ['owner'],
    what: 'was rejected',
    advice: 'Your main division rejected it. You can duplicate it into your basket and ask again.',
  },
  expired: {
    recipients: ['owner'],
    what: 'has expired',
    advice: 'It was not approved in time. You can duplicate it into your basket and ask again.',
  },
  accepted: {
    recipients: ['seller'],
    what: 'was approved by its owner',
    advice: 'Its terms are agreed on, and orders are made of it.',
  },
  refused: {
    recipients: ['seller'],
    what: 'was rejected by its owner',
    advice: 'You can set it as a draft, change its terms and send it again.',
  },
  refused_by_main: {
    recipients: ['seller'],
    what: 'was rejected by the main division of its owner',
    advice: 'It is over. It can be duplicated.',
  },
  cancelled: {
    recipients: ['seller'],
    what: 'was cancelled by its owner',
    advice: 'It is over. It can be duplicated.',
  },
  order_failed: {
    recipients: ['seller'],
    what: 'has an order that the commerce platform did not create',
    advice: 'It is tried again by itself, and so are others of the quotation. Its error report says why it failed.',
  },
  order_given_up: {
    recipients: ['seller'],
    what: 'has an order that is not tried again by itself any more',
    advice:
      'The commerce platform did not create it, however often it was tried. Its error report says why, and tries it again.',
  },
  answered: {
    recipients: ['assignee'],
    what: 'has a new comment of its owner',
    advice: 'This is what was said:',
  },
  commented: {
    recipients: ['owner'],
    what: 'has a new comment',
    advice: 'This is what was said:',
  },
  expiring_seller: {
    recipients: ['seller'],
    what: 'expires within 48 hours',
    advice: 'It is not approved yet. You can give it more time.',
    showsExpiry: true,
  },
  expiring_owner: {
    recipients: ['owner'],
    what: 'expires within 24 hours',
    advice: 'It is not approved yet. The seller can give it more time.',
    showsExpiry: true,
  },
} as const satisfies Readonly<Record<string, Wording>>

/** What a notice is about. */
export type Occasion = keyof typeof wordings
