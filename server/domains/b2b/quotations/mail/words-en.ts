import type { QuotationWords } from './quotation-words.ts'

const over = 'It is over. It can be duplicated.'
const askAgain = 'You can duplicate it into your basket and ask again.'
const agreed = 'Its terms are agreed on, and orders are made of it.'

export const english: QuotationWords = {
  quotation: (number, name) => `Quotation ${number} “${name}”`,
  heading: (quotation, what) => `${quotation} ${what}`,
  more: (others) => ` (and ${others} more)`,
  askedBy: 'Asked for by',
  expires: 'Expires',
  wrote: (name) => `${name} wrote:`,
  somebody: 'Somebody',
  open: 'Open the quotation',
  why: 'You get this message because you buy or sell by quotations here.',
  occasions: {
    requested: {
      what: 'waits for the approval of your division',
      advice: 'Somebody of a branch asks for it. It goes on to the seller once your division has approved it.',
    },
    pending: {
      what: 'waits for an offer',
      advice: 'Approve it as it is, or set it as a draft, change its terms and send it.',
    },
    recalled: {
      what: 'is being changed by the seller',
      advice: 'The offer that you got does not hold any more. You are told when there is another one.',
    },
    offered: {
      what: 'waits for your approval',
      advice: 'The seller made you this offer: approve or reject it.',
    },
    reminded: {
      what: 'still waits for your approval',
      advice: 'The seller reminds you of this offer: approve or reject it.',
    },
    approved: { what: 'is approved', advice: agreed },
    rejected: { what: 'was rejected', advice: `The seller rejected it. ${askAgain}` },
    rejected_by_main: { what: 'was rejected', advice: `Your main division rejected it. ${askAgain}` },
    expired: { what: 'has expired', advice: `It was not approved in time. ${askAgain}` },
    accepted: { what: 'was approved by its owner', advice: agreed },
    refused: {
      what: 'was rejected by its owner',
      advice: 'You can set it as a draft, change its terms and send it again.',
    },
    refused_by_main: { what: 'was rejected by the main division of its owner', advice: over },
    cancelled: { what: 'was cancelled by its owner', advice: over },
    order_failed: {
      what: 'has an order that the commerce platform did not create',
      advice: 'It is tried again by itself, and so are others of the quotation. Its error report says why it failed.',
    },
    order_given_up: {
      what: 'has an order that is not tried again by itself any more',
      advice:
        'The commerce platform did not create it, however often it was tried. Its error report says why, and tries it again.',
    },
    answered: { what: 'has a new comment of its owner', advice: 'You can answer on its page.' },
    commented: { what: 'has a new comment', advice: 'You can answer on its page.' },
    expiring_seller: {
      what: 'expires within 48 hours',
      advice: 'It is not approved yet. You can give it more time.',
    },
    expiring_owner: {
      what: 'expires within 24 hours',
      advice: 'It is not approved yet. The seller can give it more time.',
    },
  },
}
