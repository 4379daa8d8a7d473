import { sql, type Generated, type Selectable } from 'kysely'
import { Type } from 'typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { contains, equals, recordTimes, truth } from '#platform/lists/filters.ts'
import { mapRows, type Page, type Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import { unlessTaken } from '#platform/db/sql-errors.ts'
import type { Looks, Product, ProductFields } from './product.ts'
import { words } from './words-store.ts'

interface ProductsTable extends Omit<ProductFields, 'price' | 'attributes'> {
  id: Generated<number>
  /** In minor units. */
  price: number
  /** JSON text. */
  attributes: string
  createdAt: Date
  modifiedAt: Date
}
declare module '#platform/db/database.ts' {
  interface Tables {
    products: ProductsTable
  }
}

const columns = [
  ...(['id', 'remoteId', 'sku', 'name', 'price', 'currency', 'baseCode', 'category', 'image', 'attributes'] as const),
  ...(['isActive', 'createdAt', 'modifiedAt'] as const),
] as const

const toProduct = ({ price, attributes, ...row }: Selectable<ProductsTable>): Product => ({
  ...row,
  price: BigInt(price),
  attributes: attributesIn(attributes),
})
const found = (row: Selectable<ProductsTable> | undefined) => (row === undefined ? undefined : toProduct(row))
const toRow = ({ price, attributes, ...fields }: ProductFields) => ({
  ...fields,
  price: Number(price),
  attributes: JSON.stringify(attributes),
})

/** Reads attributes as they are stored. Most products have none. */
export const attributesIn = (text: string): Looks['attributes'] =>
  text === '{}' ? none : (JSON.parse(text) as Looks['attributes'])
const none = {}

/** What of a product another one has. */
export type Taken = 'remote id taken' | 'sku taken'

export const insertProduct = async (tx: Tx, fields: ProductFields, now: Date): Promise<Product | Taken> => {
  const query = tx.insertInto('products').values({ ...toRow(fields), createdAt: now, modifiedAt: now })
  const added = await query
    .onConflict((oc) => oc.doNothing())
    .returning(columns)
    .executeTakeFirst()
  if (added !== undefined) return toProduct(added)
  return (await productsByRemoteIds(tx, [fields.remoteId])).size > 0 ? 'remote id taken' : 'sku taken'
}

/** When another product has the remote id or the sku, the transaction is beyond use. */
export const updateProduct = async (tx: Tx, id: number, fields: ProductFields, now: Date): Promise<Product | Taken> => {
  const query = tx
    .updateTable('products')
    .set({ ...toRow(fields), modifiedAt: now })
    .where('id', '=', id)
  const updated = query.returning(columns).executeTakeFirstOrThrow().then(toProduct)
  const unlessSkuTaken = unlessTaken(updated, 'products_sku').then((row) => (row === 'taken' ? 'sku taken' : row))
  const row = await unlessTaken(unlessSkuTaken)
  return row === 'taken' ? 'remote id taken' : row
}

export const findProduct = async (db: Db | Tx, id: number): Promise<Product | undefined> =>
  found(await db.selectFrom('products').select(columns).where('id', '=', id).executeTakeFirst())

/** Keeps others from changing the product until the transaction ends. Waits for an import first, which holds all of them. */
export const lockProduct = async (tx: Tx, id: number): Promise<Product | undefined> => {
  await sql`lock table products in row exclusive mode`.execute(tx)
  return found(await tx.selectFrom('products').select(columns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst())
}

/** Keeps others from making and changing products until the transaction ends. They can still be read, and ordered. */
export const holdProducts = async (tx: Tx): Promise<void> => {
  await sql`lock table products in share row exclusive mode`.execute(tx)
}

/** Which products have these: sku → remote id. */
export const remoteIdsBySku = async (db: Db | Tx, skus: readonly string[]): Promise<Map<string, string>> => {
  const wanted = sql<boolean>`sku = any(${skus}::text[])`
  const rows = await db.selectFrom('products').select(['sku', 'remoteId']).where(wanted).execute()
  return new Map(rows.map(({ sku, remoteId }) => [sku, remoteId]))
}

/** The looks of these products as they are now, by id. Those that have none are left out: reading 10,000 of them takes long. */
export const looksByIds = async (db: Db | Tx, ids: readonly number[]): Promise<ReadonlyMap<number, Looks>> => {
  // As one text, like the basket.
  const { rows } = await sql<{ looks: string | null }>`
    select json_agg(json_build_array(id, base_code, category, image, attributes))::text as looks from products
    where id = any(${ids}::bigint[]) and (base_code, category, image, attributes) <> ('', '', '', '{}')`.execute(db)
  const looks = JSON.parse(rows[0]?.looks ?? '[]') as readonly [number, string, string, string, string][]
  return new Map(
    looks.map(([id, baseCode, category, image, attributes]) => [
      id,
      { baseCode, category, image, attributes: attributesIn(attributes) },
    ]),
  )
}

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
    sku: equals('sku', Type.String()),
    name: contains('name', 'the name'),
    category: equals('category', Type.String()),
    q: words,
    currency: equals('currency', Type.String({ pattern: '^[A-Z]{3}$', examples: ['EUR'] })),
    is_active: truth('is_active'),
    ...recordTimes,
  },
  orderings: {
    id: 'id',
    remote_id: 'remote_id',
    sku: 'sku',
    name: 'name',
    category: 'category',
    created_date: 'created_at',
    modified_date: 'modified_at',
  },
  defaultOrdering: 'id',
})

/** One page of the products that fit the filters of a query. @throws AppError 400 for a filter. */
export const listProducts = async (db: Db, query: Page): Promise<Rows<Product>> =>
  mapRows(await readList(db, productList, query, db.selectFrom('products').select(columns)), toProduct)

/** Creates or changes many products by remote id with one statement; each may be there once. The caller holds products. */
export const upsertProducts = async (tx: Tx, products: readonly ProductFields[], now: Date): Promise<void> => {
  if (products.length === 0) return
  const rows = products.map(toRow)
  await sql`
    insert into products
      (remote_id, sku, name, price, currency, base_code, category, image, attributes, is_active, created_at, modified_at)
    select record.*, ${now}::timestamptz, ${now}::timestamptz
    from unnest(${rows.map(({ remoteId }) => remoteId)}::text[], ${rows.map(({ sku }) => sku)}::text[],
      ${rows.map(({ name }) => name)}::text[], ${rows.map(({ price }) => price)}::bigint[],
      ${rows.map(({ currency }) => currency)}::text[], ${rows.map(({ baseCode }) => baseCode)}::text[],
      ${rows.map(({ category }) => category)}::text[], ${rows.map(({ image }) => image)}::text[],
      ${rows.map(({ attributes }) => attributes)}::text[], ${rows.map(({ isActive }) => isActive)}::boolean[]) as record
    on conflict (remote_id) do update
      set sku = excluded.sku, name = excluded.name, price = excluded.price, currency = excluded.currency,
        base_code = excluded.base_code, category = excluded.category, image = excluded.image,
        attributes = excluded.attributes, is_active = excluded.is_active, modified_at = excluded.modified_at`.execute(
    tx,
  )
}
