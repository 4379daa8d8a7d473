import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Db } from '#platform/db/database.ts'
import { offsetOf, orderingOf, type Page, type Rows } from '#platform/http/pagination.ts'
import { contains, equals, fitting, timeRange } from '../list-filters-store.ts'
import type { Product } from './product.ts'
import { columns, toProduct } from './store.ts'

export const productFilters = {
  remote_id: equals('remote_id', Type.String()),
  name: contains('name', 'the name'),
  currency: equals('currency', Type.String({ pattern: '^[A-Z]{3}$', examples: ['EUR'] })),
  is_active: equals('is_active', Type.Boolean()),
  ...timeRange('created_date', 'created_at'),
  ...timeRange('modified_date', 'modified_at'),
}

/** Fields that the list can be ordered by, and their columns. Prices in several currencies have no order. */
const orderColumns: Readonly<Record<string, string>> = {
  id: 'id',
  remote_id: 'remote_id',
  name: 'name',
  created_date: 'created_at',
  modified_date: 'modified_at',
}
export const productOrderings = Object.keys(orderColumns)

export interface ProductQuery extends Page {
  readonly ordering?: string
}

/** One page of the products that fit the filters of a query, in its order, then by id. @throws AppError 400 for a filter. */
export const listProducts = async (db: Db, query: ProductQuery): Promise<Rows<Product>> => {
  const { field, direction } = orderingOf(query.ordering ?? 'id')
  const matching = db.selectFrom('products').where(fitting(productFilters, { ...query }))
  const { count } = await matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await matching
    .select(columns)
    .orderBy(sql.ref(orderColumns[field] ?? 'id'), direction)
    .orderBy('id', direction)
    .limit(query.limit)
    .offset(offsetOf(query))
    .execute()
  return { rows: rows.map(toProduct), count }
}
