import type { Occasion } from './occasions.ts'

/** What messages about quotations say in one language. Nothing in them is a price or a note of the back office. */
export interface QuotationWords {
  /** The number and name of a quotation. */
  readonly quotation: (number: string, name: string) => string
  /** What has happened to a quotation, in a line: heading and subject. */
  readonly heading: (quotation: string, what: string) => string
  /** Follows the subject when a message is about more than the first. */
  readonly more: (others: number) => string
  readonly askedBy: string
  readonly expires: string
  readonly wrote: (name: string) => string
  /** Stands for a name that is not known. */
  readonly somebody: string
  readonly open: string
  readonly why: string
  readonly occasions: Readonly<Record<Occasion, OccasionWords>>
}

interface OccasionWords {
  /** What has happened. */
  readonly what: string
  /** What that means, or what to do now. */
  readonly advice: string
}
