import type { Detail, Quotation, Status } from './queries.ts'

/** What the reader is to a quotation: they made it, or let it pass for their main division. */
export type Part = 'owner' | 'main'

export const partOf = ({ user }: Pick<Quotation, 'user'>, me: { readonly id: number }): Part =>
  user.id === me.id ? 'owner' : 'main'

/** Who has to do something next. */
export type Actor = 'you' | 'head_office' | 'seller' | 'owner' | 'nobody'

/** The key of the sentence that says so: `turn.approve`, and with a day `turn.approve_by`. */
export type Sentence =
  | 'approve'
  | 'let_pass'
  | 'head_office'
  | 'seller'
  | 'owner'
  | 'approved'
  | 'rejected'
  | 'cancelled'
  | 'expired'

interface Turn {
  readonly actor: Actor
  readonly sentence: Sentence
}

const byStatus: Readonly<Record<Status, Readonly<Record<Part, Turn>>>> = {
  request_approval: {
    owner: { actor: 'head_office', sentence: 'head_office' },
    main: { actor: 'you', sentence: 'let_pass' },
  },
  pending: both({ actor: 'seller', sentence: 'seller' }),
  // What the seller changes is not known before it is sent.
  draft: both({ actor: 'seller', sentence: 'seller' }),
  sending_approval_request: {
    owner: { actor: 'you', sentence: 'approve' },
    main: { actor: 'owner', sentence: 'owner' },
  },
  approved: both({ actor: 'nobody', sentence: 'approved' }),
  rejected: both({ actor: 'nobody', sentence: 'rejected' }),
  cancelled: both({ actor: 'nobody', sentence: 'cancelled' }),
  expired: both({ actor: 'nobody', sentence: 'expired' }),
}

function both(turn: Turn): Readonly<Record<Part, Turn>> {
  return { owner: turn, main: turn }
}

/** Whose turn it is, told from where the reader stands. */
export const turnOf = (status: Status, part: Part): Turn => byStatus[status][part]

export type StepState = 'done' | 'now' | 'ended' | 'ahead'
export interface Step {
  readonly name: 'asked' | 'head_office' | 'offer' | 'orders'
  readonly state: StepState
}

/** How far a quotation has come, from what was asked for to its orders; where it ended before, that step did not come. */
export const stepsOf = (
  { status, revision }: Pick<Detail, 'status' | 'revision'>,
  isOfBranch: boolean,
): readonly Step[] => {
  const names: readonly Step['name'][] = isOfBranch
    ? ['asked', 'head_office', 'offer', 'orders']
    : ['asked', 'offer', 'orders']
  const reached = reachedBy(status, revision)
  const at = names.indexOf(reached.name)
  return names.map((name, index) => {
    if (index < at) return { name, state: 'done' }
    return { name, state: index === at ? reached.state : 'ahead' }
  })
}

const reachedBy = (status: Status, revision: number): Step => {
  switch (status) {
    case 'request_approval':
      return { name: 'head_office', state: 'now' }
    case 'pending':
    case 'draft':
    case 'sending_approval_request':
      return { name: 'offer', state: 'now' }
    case 'approved':
      return { name: 'orders', state: 'done' }
    case 'rejected':
    case 'cancelled':
    case 'expired':
      // Whether the head office or the seller had it then is not told; an offer is.
      return { name: revision > 1 ? 'offer' : 'asked', state: 'ended' }
  }
}
