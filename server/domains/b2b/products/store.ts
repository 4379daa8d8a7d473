import { sql, type Generated, type Selectable } from 'kysely'
import { Type } from 'typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { contains, equals, recordTimes, truth } from '#platform/lists/filters.ts'
import { mapRows, type Page, type Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import { unlessTaken } from '#platform/db/sql-errors.ts'
import type { Outcome } from '../imports/index.ts'
import type { Product, ProductFields } from './product.ts'

interface ProductsTable extends Omit<ProductFields, 'price'> {
  id: Generated<number>
  /** In minor units. */
  price: number
  createdAt: Date
  modifiedAt: Date
}
declare module '#platform/db/database.ts' {
  interface Tables {
    products: ProductsTable
  }
}

const columns = ['id', 'remoteId', 'name', 'price', 'currency', 'isActive', 'createdAt', 'modifiedAt'] as const

const toProduct = ({ price, ...row }: Selectable<ProductsTable>): Product => ({ ...row, price: BigInt(price) })
const found = (row: Selectable<ProductsTable> | undefined) => (row === undefined ? undefined : toProduct(row))
const toRow = ({ price, ...fields }: ProductFields) => ({ ...fields, price: Number(price) })

/** @returns undefined when the remote id is taken. */
export const insertProduct = async (tx: Tx, fields: ProductFields, now: Date): Promise<Product | undefined> => {
  const query = tx.insertInto('products').values({ ...toRow(fields), createdAt: now, modifiedAt: now })
  const added = query.onConflict((oc) => oc.column('remoteId').doNothing()).returning(columns)
  return found(await added.executeTakeFirst())
}

/** @returns undefined when another product has the remote id; the transaction is then beyond use. */
export const updateProduct = async (tx: Tx, id: number, fields: ProductFields, now: Date) => {
  const query = tx
    .updateTable('products')
    .set({ ...toRow(fields), modifiedAt: now })
    .where('id', '=', id)
  const row = await unlessTaken(query.returning(columns).executeTakeFirstOrThrow())
  return row === 'taken' ? undefined : toProduct(row)
}

export const findProduct = async (db: Db | Tx, id: number): Promise<Product | undefined> =>
  found(await db.selectFrom('products').select(columns).where('id', '=', id).executeTakeFirst())

/** Keeps others from changing the product until the transaction ends. */
export const lockProduct = async (tx: Tx, id: number): Promise<Product | undefined> =>
  found(await tx.selectFrom('products').select(columns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst())

/** These products by id, inactive ones too, with one query. */
export const productsByIds = async (db: Db | Tx, ids: readonly number[]): Promise<Map<number, Product>> => {
  const wanted = sql<boolean>`id = any(${ids}::bigint[])`
  const rows = await db.selectFrom('products').select(columns).where(wanted).execute()
  return new Map(rows.map((row) => [row.id, toProduct(row)]))
}

/** These products by what the commerce platform calls them, inactive ones too, with one query. */
export const productsByRemoteIds = async (db: Db | Tx, remoteIds: readonly string[]): Promise<Map<string, Product>> => {
  const wanted = sql<boolean>`remote_id = any(${remoteIds}::text[])`
  const rows = await db.selectFrom('products').select(columns).where(wanted).execute()
  return new Map(rows.map((row) => [row.remoteId, toProduct(row)]))
}

/** Prices in several currencies have no order. */
export const productList = defineList({
  filters: {
    remote_id: equals('remote_id', Type.String()),
    name: contains('name', 'the name'),
    currency: equals('currency', Type.String({ pattern: '^[A-Z]{3}$', examples: ['EUR'] })),
    is_active: truth('is_active'),
    ...recordTimes,
  },
  orderings: {
    id: 'id',
    remote_id: 'remote_id',
    name: 'name',
    created_date: 'created_at',
    modified_date: 'modified_at',
  },
  defaultOrdering: 'id',
})

/** One page of the products that fit the filters of a query. @throws AppError 400 for a filter. */
export const listProducts = async (db: Db, query: Page): Promise<Rows<Product>> =>
  mapRows(await readList(db, productList, query, db.selectFrom('products').select(columns)), toProduct)

/** A product of a table; without the column `is_active` it stays as active as it is. */
export type ProductRecord = Omit<ProductFields, 'isActive'> & { readonly isActive: boolean | undefined }

/** How many of the products of a table were new, and how many of the others really changed. */
type Written = Pick<Outcome, 'created' | 'updated'>

/**
 * Creates or changes many products with one statement; each remote id may be there once. In the order of remote ids: of two
 * imports at once the second waits for the first. Either all of them say whether they are active or none does.
 */
export const upsertProducts = async (tx: Tx, products: readonly ProductRecord[], now: Date): Promise<Written> => {
  const keepsActive = sql<boolean>`${products.every(({ isActive }) => isActive === undefined)}::boolean`
  // A row that this transaction inserted has no xmax; one that it updated has.
  const { rows } = await sql<Written>`
    with written as (
      insert into products as known (remote_id, name, price, currency, is_active, created_at, modified_at)
      select remote_id, name, price, currency, coalesce(is_active, true), ${now}::timestamptz, ${now}::timestamptz
      from unnest(${products.map(({ remoteId }) => remoteId)}::text[], ${products.map(({ name }) => name)}::text[],
        ${products.map(({ price }) => String(price))}::bigint[], ${products.map(({ currency }) => currency)}::text[],
        ${products.map(({ isActive }) => isActive ?? null)}::boolean[]) as record (remote_id, name, price, currency, is_active)
      order by remote_id collate "C"
      on conflict (remote_id) do update
        set name = excluded.name, price = excluded.price, currency = excluded.currency,
          is_active = case when ${keepsActive} then known.is_active else excluded.is_active end,
          modified_at = excluded.modified_at
        where (known.name, known.price, known.currency) is distinct from (excluded.name, excluded.price, excluded.currency)
          or (not ${keepsActive} and known.is_active <> excluded.is_active)
      returning known.xmax = 0 as is_new)
    select count(*) filter (where is_new) as created, count(*) filter (where not is_new) as updated from written`.execute(
    tx,
  )
  return rows[0] ?? { created: 0, updated: 0 }
}
