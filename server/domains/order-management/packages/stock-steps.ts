import type { Movement, MovementKind } from '../stock/index.ts'
import type { Item } from './package.ts'
import type { PackageMove } from './lifecycle.ts'

/** What becomes of goods that came back, or never left: onto the shelf again, or off the books. */
export const dispositions = ['restock', 'write_off'] as const
export type Disposition = (typeof dispositions)[number]

export interface StockSituation {
  readonly items: readonly Item[]
  /** Where the package is. */
  readonly at: Movement['location'] | undefined
  /** Where it is going. */
  readonly to: Movement['location'] | undefined
  /** Whether its stock has left with a sale. */
  readonly isSold: boolean
  readonly disposition: Disposition | undefined
}

type Step = readonly [MovementKind, Movement['location'] | undefined]

const steps: Record<PackageMove['stock'], (situation: StockSituation) => readonly Step[]> = {
  keep: () => [],
  allocate: ({ to }) => [['allocate', to]],
  reallocate: ({ at, to }) => [
    ['release', at],
    ['allocate', to],
  ],
  release: ({ at }) => [['release', at]],
  sell: ({ at }) => [['sale', at]],
  // Packed for refund before it was shipped: the goods never left, so they are released, not restocked.
  settle: ({ at, isSold, disposition }) => [
    [isSold ? 'restock' : 'release', at],
    ...(disposition === 'write_off' ? [['write_off', at] as const] : []),
  ],
}

/** The stock movements of one move of a package, for each of its items. */
export const movementsOf = (step: PackageMove['stock'], situation: StockSituation): Movement[] =>
  steps[step](situation).flatMap(([kind, location]) => {
    if (location === undefined) throw new Error(`A package cannot ${kind} stock without a location.`)
    return situation.items.map(({ sku, quantity }) => ({ location, sku, kind, quantity }))
  })
