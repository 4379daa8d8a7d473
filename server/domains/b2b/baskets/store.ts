import { sql, type Generated } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { productsByIds } from '../products/index.ts'
import type { Basket, BasketCell } from './basket.ts'
import { mostPieces } from './basket-fields.ts'

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

/** The same, held until the transaction ends; undefined when there was none. */
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

/** What is in a basket, in its order. */
const listItems = (db: Db | Tx, basketId: number) =>
  db
    .selectFrom('basketItems')
    .select(['productId', 'divisionId', 'quantity'])
    .where('basketId', '=', basketId)
    .orderBy('id')
    .execute()

/**
 * The whole basket, with products and divisions as they are now. Three queries: joined, each row would repeat its product and
 * its division, which takes most of the time where a thousand products go to many divisions.
 */
export const readBasket = async (db: Db | Tx, id: number): Promise<Basket> => {
  const items = await listItems(db, id)
  const products = await productsByIds(db, [...new Set(items.map(({ productId }) => productId))])
  const divisions = await divisionNames(db, [...new Set(items.map(({ divisionId }) => divisionId))])
  const cells = items.flatMap(({ productId, divisionId, quantity }): BasketCell[] => {
    const [product, division] = [products.get(productId), divisions.get(divisionId)]
    // Neither is ever removed, so both are there.
    return product === undefined || division === undefined ? [] : [{ product, division, quantity }]
  })
  return { id, cells }
}

const divisionNames = async (db: Db | Tx, ids: readonly number[]): Promise<Map<number, BasketCell['division']>> => {
  const rows = await db
    .selectFrom('divisions')
    .select(['id', 'name', 'erpCode'])
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export interface CellKey {
  readonly basketId: number
  readonly productId: number
  readonly divisionId: number
}

const cellColumns = ['basketId', 'productId', 'divisionId'] as const

/** @returns false, with nothing written, when that would be more than there may be. */
export const addPieces = async (tx: Tx, key: CellKey, quantity: number): Promise<boolean> => {
  const written = await tx
    .insertInto('basketItems')
    .values({ ...key, quantity })
    .onConflict((oc) =>
      oc
        .columns(cellColumns)
        .doUpdateSet((eb) => ({ quantity: eb('basketItems.quantity', '+', eb.ref('excluded.quantity')) }))
        .where((eb) => eb(eb('basketItems.quantity', '+', eb.ref('excluded.quantity')), '<=', mostPieces)),
    )
    .returning('id')
    .executeTakeFirst()
  return written !== undefined
}

/** What is there keeps its place. */
export const setPieces = async (tx: Tx, key: CellKey, quantity: number): Promise<void> => {
  await tx
    .insertInto('basketItems')
    .values({ ...key, quantity })
    .onConflict((oc) => oc.columns(cellColumns).doUpdateSet({ quantity }))
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
