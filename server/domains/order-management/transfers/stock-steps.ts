import type { Movement, MovementKind } from '../stock/index.ts'
import type { TransferMove } from './lifecycle.ts'
import type { Item } from './transfer.ts'

/** What becomes of goods that were under way: back to the source's shelf, or off the books. */
export const dispositions = ['return', 'write_off'] as const
export type Disposition = (typeof dispositions)[number]

export interface StockSituation {
  readonly items: readonly Item[]
  readonly source: Movement['location']
  readonly destination: Movement['location']
  readonly disposition: Disposition | undefined
}

type Step = readonly [MovementKind, Movement['location']]

const steps: Record<TransferMove['stock'], (situation: StockSituation) => readonly Step[]> = {
  keep: () => [],
  allocate: ({ source }) => [['allocate', source]],
  release: ({ source }) => [['release', source]],
  send: ({ source }) => [['transfer_out', source]],
  arrive: ({ destination }) => [['transfer_in', destination]],
  recall: ({ source, disposition }) => [
    ['restock', source],
    ...(disposition === 'write_off' ? [['write_off', source] as const] : []),
  ],
}

/** The stock movements of one move of a transfer, for everything that was sent. */
export const movementsOf = (step: TransferMove['stock'], situation: StockSituation): Movement[] =>
  steps[step](situation).flatMap(([kind, location]) =>
    situation.items.map(({ sku, quantity }) => ({ location, sku, kind, quantity })),
  )

/**
 * Write-offs of what was sent and did not arrive. All that was sent is booked in at the destination before, so the
 * ledger shows the loss as an entry of its own.
 */
export const lossesOf = (items: readonly Item[], destination: Movement['location']): Movement[] =>
  items.flatMap(({ sku, quantity, received }) =>
    received === quantity ? [] : [{ location: destination, sku, kind: 'write_off', quantity: quantity - received }],
  )
