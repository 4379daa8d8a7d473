import { sql } from 'kysely'
import { Type } from 'typebox'
import { orderStatuses } from '#events/quotations.ts'
import type { Db } from '#platform/db/database.ts'
import { IdOf, OneOf } from '#platform/http/schemas.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { equals, oneOf, time } from '#platform/lists/filters.ts'
import { mapRows, type Page, type Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import { listedOrders, toListed } from './list-store.ts'
import type { ListedOrder } from './order.ts'

/** Orders of a buyer. */
export const myOrderList = defineList({
  filters: {
    status: oneOf('status', OneOf(orderStatuses), 'One of these statuses; may be repeated.'),
    division: equals('division_id', IdOf('For this division.')),
    quotation: equals('quotation_id', IdOf('Of this quotation.')),
    created_at: time('created_at', 'Made', { dates: 'days' }),
  },
  orderings: { id: 'id', created_at: 'created_at' },
  defaultOrdering: '-id',
  parameters: {
    scope: Type.Optional(
      OneOf(['tree'], {
        description: 'For users of a main division: orders of all quotations of its tree. For others there are none.',
      }),
    ),
  },
})

/** Whose quotations the orders are of: those of an owner, or of the tree of a main division. */
export type OrderScope = { readonly owner: number } | { readonly tree: number | null }

/** A page of the orders of these quotations, which are looked up first: by their index, whoever's they are. */
export const listMyOrders = (db: Db, scope: OrderScope, query: Page): Promise<Rows<ListedOrder>> => {
  const whose = 'owner' in scope ? sql`user_id = ${scope.owner}` : sql`root_division_id = ${scope.tree}`
  const theirs = listedOrders(db).where(
    sql<boolean>`quotation_id = any(array(select id from quotations where ${whose}))`,
  )
  return readList(db, myOrderList, query, theirs).then((found) => mapRows(found, toListed))
}
