import { sql, type Generated } from 'kysely'
import { Type } from 'typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import { unlessTaken } from '#platform/db/sql-errors.ts'
import { Id, SentTime } from '#platform/http/schemas.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { contains, custom, equals, recordTimes, time } from '#platform/lists/filters.ts'
import { mapRows, type Page, type Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import { timeFrom } from '#platform/time-text.ts'
import type { Price, PriceFields, PriceTerms } from './price.ts'
import { coverages } from './schemas.ts'

interface PricesTable extends Omit<PriceFields, 'price'> {
  id: Generated<number>
  /** In minor units. */
  price: number
  createdAt: Date
  modifiedAt: Date
}
declare module '#platform/db/database.ts' {
  interface Tables {
    prices: PricesTable
  }
}

const selectPrices = (db: Db | Tx) =>
  db
    .selectFrom('prices')
    .select(['id', 'divisionId', 'covers', 'productId', 'price', 'currency', 'name', 'validFrom', 'validTo'])
    .select(['createdAt', 'modifiedAt'])
    .select([
      sql<string>`(select divisions.name from divisions where divisions.id = prices.division_id)`.as('divisionName'),
      sql<string>`(select remote_id from products where products.id = prices.product_id)`.as('productRemoteId'),
      sql<string>`(select products.name from products where products.id = prices.product_id)`.as('productName'),
      sql<number>`(select products.price from products where products.id = prices.product_id)`.as('listPrice'),
      sql<string>`(select products.currency from products where products.id = prices.product_id)`.as('listCurrency'),
    ])

type Row = Omit<Price, 'price' | 'listPrice'> & Readonly<Record<'price' | 'listPrice', number>>
const toPrice = ({ price, listPrice, ...row }: Row): Price => ({
  ...row,
  price: BigInt(price),
  listPrice: BigInt(listPrice),
})
const toRow = <T extends PriceTerms>({ price, ...fields }: T) => ({ ...fields, price: Number(price) })

/** @returns undefined when the list has a price of the product from that time on already. */
export const insertPrice = async (tx: Tx, fields: PriceFields, now: Date): Promise<Price | undefined> => {
  const query = tx.insertInto('prices').values({ ...toRow(fields), createdAt: now, modifiedAt: now })
  const added = await query
    .onConflict((oc) => oc.constraint('prices_once').doNothing())
    .returning('id')
    .executeTakeFirst()
  return added === undefined ? undefined : findPrice(tx, added.id)
}

/** @returns undefined when the list has another price of the product from that time on; the transaction is then beyond use. */
export const updatePrice = async (tx: Tx, id: number, terms: PriceTerms, now: Date): Promise<Price | undefined> => {
  const query = tx
    .updateTable('prices')
    .set({ ...toRow(terms), modifiedAt: now })
    .where('id', '=', id)
  return (await unlessTaken(query.execute(), 'prices_once')) === 'taken' ? undefined : findPrice(tx, id)
}

/** @returns false when there is none of that id. */
export const deletePrice = async (tx: Tx, id: number): Promise<boolean> =>
  (await tx.deleteFrom('prices').where('id', '=', id).executeTakeFirstOrThrow()).numDeletedRows > 0n

export const findPrice = async (db: Db | Tx, id: number): Promise<Price | undefined> => {
  const row = await selectPrices(db).where('id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : toPrice(row)
}

/** Keeps others from changing the price until the transaction ends. */
export const lockPrice = async (tx: Tx, id: number): Promise<Price | undefined> => {
  const row = await selectPrices(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  return row === undefined ? undefined : toPrice(row)
}

/** Prices in several currencies have no order. */
export const priceList = defineList({
  filters: {
    division: equals('division_id', Type.Integer({ ...Id, description: 'Of this division itself.' })),
    product: equals('product_id', Id),
    product_remote_id: custom(
      Type.String({ description: 'Only of the product that the commerce platform calls exactly this.' }),
      (remoteId) => sql<boolean>`product_id = (select products.id from products where remote_id = ${remoteId})`,
    ),
    name: contains('name', 'the name of the list'),
    covers: equals('covers', Type.Unsafe<string>({ type: 'string', enum: [...coverages] })),
    holds_at: custom(SentTime({ description: 'Only what holds at this time.' }), (text, name) => {
      const at = timeFrom(name, text)
      return sql<boolean>`(valid_from <= ${at}::timestamptz and (valid_to is null or valid_to > ${at}::timestamptz))`
    }),
    valid_from: time('valid_from', 'Holds from'),
    valid_to: time('valid_to', 'Holds to'),
    ...recordTimes,
  },
  orderings: {
    id: 'id',
    name: 'name',
    valid_from: 'valid_from',
    created_date: 'created_at',
    modified_date: 'modified_at',
  },
  defaultOrdering: 'id',
})

/** One page of the prices that fit the filters of a query, also of those that are over. @throws AppError 400 for a filter. */
export const listPrices = async (db: Db, query: Page): Promise<Rows<Price>> =>
  mapRows(await readList(db, priceList, query, selectPrices(db)), toPrice)
