import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { offsetOf, type Page, type Rows } from '#platform/http/pagination.ts'
import type { Balance } from './movements.ts'

const orderExpressions = {
  sku: sql.ref('sku'),
  on_hand: sql.ref('on_hand'),
  allocated: sql.ref('allocated'),
  available: sql`on_hand - allocated`,
}
/** Fields that the balances can be ordered by. */
export const balanceOrderings = Object.keys(orderExpressions)

/** One page of a location's balances, ordered by a field of `balanceOrderings` and then by sku. */
export const listBalances = async (
  db: Db,
  { locationId, sku }: { locationId: number; sku: string | undefined },
  page: Page,
  { field, direction }: { field: string; direction: 'asc' | 'desc' },
): Promise<Rows<Balance>> => {
  const matching = db
    .selectFrom('stockBalances')
    .where('locationId', '=', locationId)
    .where((eb) => eb.and(sku === undefined ? [] : [eb('sku', '=', sku)]))
  const { count } = await matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await matching
    .select(['sku', 'onHand', 'allocated'])
    .orderBy(orderExpressions[field as keyof typeof orderExpressions], direction)
    .orderBy('sku', direction)
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
  return { rows, count }
}
