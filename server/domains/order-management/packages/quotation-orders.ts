import type { Tx } from '#platform/db/database.ts'
import type { Item } from './package.ts'

/** An order of a quotation, as far as packages are made of it. */
export interface QuotationOrder {
  readonly id: number
  /** What the commerce platform calls it; null: it has not got it yet. */
  readonly remoteNumber: string | null
  /** Each sku once. */
  readonly items: readonly Item[]
}

/**
 * Finds an order of a quotation, and keeps others from making packages of it until `tx` ends. Filled in by who knows orders; its
 * lock comes before all of this domain.
 */
export type HoldQuotationOrder = (tx: Tx, id: number) => Promise<QuotationOrder | undefined>
