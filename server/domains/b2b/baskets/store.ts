import { sql, type Generated } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { pricedProductsIn, pricedProductsText, type PricedFor } from '../prices/index.ts'
import type { Basket, BasketQuantity } from './basket.ts'
import { maxPieces } from './basket-fields.ts'

interface BasketsTable {
  id: Generated<number>
  userId: number
  /** null: what its user is about to ask for. */
  name: string | null
  savedAt: Date | null
}
interface BasketItemsTable {
  id: Generated<number>
  basketId: number
  productId: number
  divisionId: number
  quantity: number
}
declare module '#platform/db/database.ts' {
  interface Tables {
    baskets: BasketsTable
    basketItems: BasketItemsTable
  }
}

/** Of the basket that its user fills. */
export const findBasket = async (db: Db | Tx, userId: number): Promise<number | undefined> =>
  (await current(db, userId).executeTakeFirst())?.id

/** The basket that a user fills, held until the transaction ends; undefined when there was none. */
export const lockBasket = async (tx: Tx, userId: number): Promise<number | undefined> =>
  (await current(tx, userId).forUpdate().executeTakeFirst())?.id

/** Makes the basket unless somebody else just did. */
export const makeBasket = async (db: Db | Tx, userId: number): Promise<void> => {
  await db
    .insertInto('baskets')
    .values({ userId, name: null, savedAt: null })
    .onConflict((oc) => oc.column('userId').where('name', 'is', null).doNothing())
    .execute()
}

const current = (db: Db | Tx, userId: number) =>
  db.selectFrom('baskets').select('id').where('userId', '=', userId).where('name', 'is', null)

/** The whole basket at the prices of its buyer, in one query, as three texts: reading 20,000 rows would take ten times as long. */
export const readBasket = async (db: Db | Tx, id: number, buyer: PricedFor): Promise<Basket> => {
  const { rows } = await sql<{ quantities: string | null; products: string | null; divisions: string | null }>`
    with item as materialized (
      select id, product_id, division_id, quantity from basket_items where basket_id = ${id}
    )
    select (
      select string_agg(product_id || ',' || division_id || ',' || quantity, ',' order by id) from item
    ) as quantities,
    ${pricedProductsText(sql`select product_id from item`, buyer)} as products, (
      select json_agg(json_build_array(id, name, erp_code))::text
      from divisions where id in (select division_id from item)
    ) as divisions`.execute(db)
  const [row] = rows
  const quantities = quantitiesOf(
    row?.quantities ?? '',
    pricedProductsIn(row?.products ?? null),
    divisionsIn(row?.divisions ?? '[]'),
  )
  return { id, quantities }
}

type ByIds<Name extends 'product' | 'division'> = ReadonlyMap<number, BasketQuantity[Name]>

/** @param text product, division and quantity of each basketQuantity, in the order of the basket. */
const quantitiesOf = (text: string, products: ByIds<'product'>, divisions: ByIds<'division'>): BasketQuantity[] => {
  const numbers = JSON.parse(`[${text}]`) as number[]
  const quantities: BasketQuantity[] = []
  for (let at = 0; at < numbers.length; at += 3) {
    const product = products.get(numbers[at] ?? 0)
    const division = divisions.get(numbers[at + 1] ?? 0)
    // The database has both of every basketQuantity.
    if (product !== undefined && division !== undefined)
      quantities.push({ product, division, quantity: numbers[at + 2] ?? 0 })
  }
  return quantities
}

const divisionsIn = (text: string): ByIds<'division'> => {
  const rows = JSON.parse(text) as readonly [number, string, string | null][]
  return new Map(rows.map(([id, name, erpCode]) => [id, { id, name, erpCode }]))
}

export const hasItems = async (db: Db | Tx, id: number): Promise<boolean> => {
  const item = db.selectFrom('basketItems').select('id').where('basketId', '=', id).limit(1)
  return (await item.executeTakeFirst()) !== undefined
}

export interface QuantityKey {
  readonly basketId: number
  readonly productId: number
  readonly divisionId: number
}

const quantityColumns = ['basketId', 'productId', 'divisionId'] as const

/** @returns false, with nothing written, when that would be more than there may be. */
export const addPieces = async (tx: Tx, key: QuantityKey, quantity: number): Promise<boolean> => {
  const written = await tx
    .insertInto('basketItems')
    .values({ ...key, quantity })
    .onConflict((oc) =>
      oc
        .columns(quantityColumns)
        .doUpdateSet((eb) => ({ quantity: eb('basketItems.quantity', '+', eb.ref('excluded.quantity')) }))
        .where((eb) => eb(eb('basketItems.quantity', '+', eb.ref('excluded.quantity')), '<=', maxPieces)),
    )
    .returning('id')
    .executeTakeFirst()
  return written !== undefined
}

/** What is there keeps its place. */
export const setPieces = async (tx: Tx, key: QuantityKey, quantity: number): Promise<void> => {
  await tx
    .insertInto('basketItems')
    .values({ ...key, quantity })
    .onConflict((oc) => oc.columns(quantityColumns).doUpdateSet({ quantity }))
    .execute()
}

/** Removes a product for one division, or for all. @returns whether it was there. */
export const removeProduct = async (
  tx: Tx,
  basketId: number,
  productRemoteId: string,
  divisionId?: number,
): Promise<boolean> => {
  const product = tx.selectFrom('products').select('id').where('remoteId', '=', productRemoteId)
  const { numDeletedRows } = await tx
    .deleteFrom('basketItems')
    .where('basketId', '=', basketId)
    .where('productId', '=', product)
    .$if(divisionId !== undefined, (query) => query.where('divisionId', '=', divisionId ?? 0))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Empties the basket. @returns what was in it, in its order. */
export const removeAll = async (tx: Tx, basketId: number) => {
  const rows = await tx
    .deleteFrom('basketItems')
    .where('basketId', '=', basketId)
    .returning(['id', 'productId', 'divisionId', 'quantity'])
    .execute()
  return rows.toSorted((one, other) => one.id - other.id)
}
