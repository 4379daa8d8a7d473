import type { Generated } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { orderToJson, type CommercePlatform } from './commerce-platform.ts'

interface LedgerOrdersTable {
  id: Generated<number>
  key: string
  /** JSON text. */
  content: string
  createdAt: Date
}
declare module '#platform/db/database.ts' {
  interface Tables {
    ledgerOrders: LedgerOrdersTable
  }
}

export type LedgerDeps = Pick<SliceDeps, 'db' | 'clock'>

/** Orders are kept here and numbered: `L-1`, `L-2`, … Numbers are not used again, and may have gaps. */
export const makeLedger = ({ db, clock }: LedgerDeps): CommercePlatform => ({
  async createOrder(order, key) {
    const id = await keepOrder(db, { key, content: orderToJson(order), createdAt: clock.now() })
    return { number: `L-${id}` }
  },
  sentKey: (key) => key,
})

/** Keeps an order unless there is one with its key. @returns the id of the one that there is. */
const keepOrder = async (db: Db, order: Omit<LedgerOrdersTable, 'id'>): Promise<number> => {
  const known = await idOf(db, order.key)
  if (known !== undefined) return known
  const kept = await db
    .insertInto('ledgerOrders')
    .values(order)
    .onConflict((oc) => oc.column('key').doNothing())
    .returning('id')
    .executeTakeFirst()
  // Nobody removes orders: of two at once the other one has it.
  return kept?.id ?? (await idOf(db, order.key)) ?? missing(order.key)
}

const idOf = async (db: Db, key: string): Promise<number | undefined> =>
  (await db.selectFrom('ledgerOrders').select('id').where('key', '=', key).executeTakeFirst())?.id

const missing = (key: string): never => {
  throw new Error(`The ledger has lost the order with the key ${key}.`)
}
