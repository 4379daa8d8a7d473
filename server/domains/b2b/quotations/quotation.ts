import type { NewEvent } from '#delivery/outbox/outbox.ts'
import { QuotationData, type QuotationStatus } from '#events/quotations.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import { digitsOf, formatMoney, type Minor } from '#platform/money.ts'

/** A purchase offer, without what is in it. */
export interface Quotation {
  readonly id: number
  readonly number: string
  readonly name: string
  /** Its owner: who made it. */
  readonly userId: number
  /** Of the owner when it was made, and the main division of its tree. */
  readonly divisionId: number
  readonly rootDivisionId: number
  readonly status: QuotationStatus
  /** Goes up with every change. */
  readonly version: number
  /** The terms that were sent last, or those that were submitted (1). */
  readonly revision: number
  readonly currency: string
  readonly totalAmount: Minor
  readonly netAmount: Minor
  /** null: never. */
  readonly expiresAt: Date | null
  readonly assignee: number | null
  readonly rejectedByMain: boolean
  /** Why it was rejected or cancelled, and who said so; null: nothing was said. */
  readonly reason: string | null
  readonly reasonBy: number | null
  /** The revision that the owner submitted or approved last, and what it came to. */
  readonly consentedRevision: number | null
  readonly consentedAmount: Minor | null
  /** Most units of an order; null before approval. */
  readonly batchSize: number | null
  readonly sentAt: Date | null
  readonly remindedAt: Date | null
  readonly createdAt: Date
  readonly modifiedAt: Date
}

/** `Q-<year>-<6 digits>`; the year is that of the creation in UTC. More than 999,999 of a year get more digits. */
export const quotationNumber = (year: number, sequence: number): string =>
  `Q-${year}-${String(sequence).padStart(6, '0')}`

/** An amount as a decimal text with all digits of its currency. */
export const money = (amount: Minor, currency: string): string => formatMoney(amount, digitsOf(currency) ?? 2)

/** The quotation as subscribers see it. */
export const toData = makeToWire<Quotation, typeof QuotationData>(QuotationData, {
  user: 'userId',
  division: 'divisionId',
  total_amount: ({ totalAmount, currency }) => money(totalAmount, currency),
  net_amount: ({ netAmount, currency }) => money(netAmount, currency),
})

export const createdEvent = (quotation: Quotation): NewEvent => ({
  type: 'quotation.created',
  data: toData(quotation),
  ...about(quotation.id),
})

/** What a quotation that just came to its status raises. */
export const statusEvent = (quotation: Quotation): NewEvent => ({
  type: `quotation.status.${quotation.status}`,
  data: toData(quotation),
  ...about(quotation.id),
})

/** Where events about a quotation go. */
export const about = (id: number) => ({ scope: 'back-office', object: { type: 'quotation', id } }) as const
