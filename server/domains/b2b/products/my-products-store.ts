import { Type } from 'typebox'
import type { Db } from '#platform/db/database.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { equals } from '#platform/lists/filters.ts'
import { mapRows, type Page, type Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import type { OfferedProduct } from './my-products.ts'
import { attributesIn } from './store.ts'
import { words } from './words-store.ts'

/** Prices in several currencies have no order. */
export const myProductList = defineList({
  filters: { sku: equals('sku', Type.String()), category: equals('category', Type.String()), q: words },
  orderings: { id: 'id', name: 'name', sku: 'sku', category: 'category' },
  defaultOrdering: 'id',
})

/** What is sold, at the prices of whoever asks: the only place that says what they are. */
const offered = (db: Db) =>
  db
    .selectFrom('products')
    .select(['id', 'remoteId', 'sku', 'name', 'baseCode', 'category', 'image', 'attributes', 'price', 'currency'])
    .where('isActive', '=', true)

type Row = Awaited<ReturnType<ReturnType<typeof offered>['execute']>>[number]
const toOffered = ({ price, attributes, ...row }: Row): OfferedProduct => ({
  ...row,
  price: BigInt(price),
  attributes: attributesIn(attributes),
})

/** One page of the active products that fit the filters of a query. */
export const listOffered = async (db: Db, query: Page): Promise<Rows<OfferedProduct>> =>
  mapRows(await readList(db, myProductList, query, offered(db)), toOffered)

/** @returns undefined for one that is not sold. */
export const findOffered = async (db: Db, id: number): Promise<OfferedProduct | undefined> => {
  const row = await offered(db).where('id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : toOffered(row)
}
