import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { orderToJson, type CommercePlatform } from './commerce-platform.ts'
import { keepOrder } from './ledger-store.ts'

export interface LedgerDeps {
  readonly db: Db
  readonly clock: Clock
}

/** Orders are kept here and numbered: `L-1`, `L-2`, … Numbers are not used again, and may have gaps. */
export const makeLedger = ({ db, clock }: LedgerDeps): CommercePlatform => ({
  async createOrder(order, key) {
    const id = await keepOrder(db, { key, content: orderToJson(order), createdAt: clock.now() })
    return { number: `L-${id}` }
  },
  sentKey: (key) => key,
})
