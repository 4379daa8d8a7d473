import type { Quotation } from '../quotation.ts'
import type { QuotationStatus } from '#events/quotations.ts'
import type { Occasion } from './occasions.ts'

/** Something about a quotation that others have to know, most often because they act next. */
export interface Notice {
  readonly occasion: Occasion
  readonly quotation: Quotation
  /** Who did it, and knows; null: time. */
  readonly doer: number | null
  /** A comment, or why it was rejected or cancelled: everybody may read it who may read the quotation. */
  readonly said?: string
}

/** A quotation that came to its status. */
export interface Arrival {
  /** The status before; undefined for a new one. */
  readonly from: QuotationStatus | undefined
  readonly quotation: Quotation
  readonly doer: number | null
}

/** What it is to others when a quotation comes to a status; undefined: nothing that they have to know. */
const occasions: Readonly<Record<QuotationStatus, (arrival: Arrival) => Occasion | undefined>> = {
  request_approval: () => 'requested',
  pending: () => 'pending',
  // Whoever makes a draft goes on with it; only an offer that somebody has in hand is taken from them.
  draft: ({ from }) => (from === 'sending_approval_request' ? 'recalled' : undefined),
  sending_approval_request: () => 'offered',
  approved: () => 'approved',
  rejected: ({ quotation }) => (quotation.rejectedByMain ? 'rejected_by_main' : 'rejected'),
  cancelled: () => undefined,
  expired: () => 'expired',
}

/** What buyers decided, for the seller: by its owner, and by their main division. */
const decisions: Readonly<Partial<Record<QuotationStatus, Readonly<Partial<Record<'owner' | 'main', Occasion>>>>>> = {
  approved: { owner: 'accepted' },
  rejected: { owner: 'refused', main: 'refused_by_main' },
  cancelled: { owner: 'cancelled' },
}

const decisionOf = ({ from, quotation, doer }: Arrival): Occasion | undefined => {
  // It has not come to the seller yet, and nobody there has taken it.
  if (from === 'request_approval' && quotation.assignee === null) return undefined
  const decided = decisions[quotation.status]
  if (quotation.rejectedByMain) return decided?.main
  return doer === quotation.userId ? decided?.owner : undefined
}

/** What those who act next, and the seller, have to know of it. */
export const noticesOf = (arrival: Arrival): Notice[] => {
  const { quotation, doer } = arrival
  const told = [occasions[quotation.status](arrival), decisionOf(arrival)]
  const said = quotation.reason === null ? {} : { said: quotation.reason }
  return told.flatMap((occasion) => (occasion === undefined ? [] : [{ occasion, quotation, doer, ...said }]))
}
