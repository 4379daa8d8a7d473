import { Type } from 'typebox'
import type { Db } from '#platform/db/database.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { equals } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import { words } from '../products/index.ts'
import { pricedProducts, type PricedProduct } from './best-price-store.ts'
import type { PricedFor } from './price.ts'

/** Prices in several currencies have no order. */
export const myProductList = defineList({
  filters: { sku: equals('sku', Type.String()), category: equals('category', Type.String()), q: words },
  orderings: { id: 'id', name: 'name', sku: 'sku', category: 'category' },
  defaultOrdering: 'id',
})

/** One page of the active products that fit the filters of a query, at the prices of a buyer. */
export const listOffered = async (db: Db, query: Page, buyer: PricedFor): Promise<Rows<PricedProduct>> => {
  const active = db.selectFrom('products').select('id').where('isActive', '=', true)
  const page = await readList(db, myProductList, query, active)
  // Prices are looked up for the page alone.
  const ids = page.rows.map(({ id }) => id)
  const products = await pricedProducts(db, ids, buyer)
  return { ...page, rows: ids.flatMap((id) => products.get(id) ?? []) }
}

/** @returns undefined for one that is not sold. */
export const findOffered = async (db: Db, id: number, buyer: PricedFor): Promise<PricedProduct | undefined> => {
  const product = (await pricedProducts(db, [id], buyer)).get(id)
  return product?.isActive === true ? product : undefined
}
