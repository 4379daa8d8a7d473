import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { attributesIn, type Product } from '../products/index.ts'
import type { DivisionPrice, PricedFor } from './price.ts'

/** The price that a buyer has for a product by a list. */
interface Best {
  readonly bestProduct: number
  readonly bestPrice: number
  readonly listId: number
  readonly listName: string
}

/**
 * The best price that each product has for a buyer by a list, as a table to join: none where the list price of the product is as
 * low. Prices of the division of the buyer hold, and of those above it what is for their whole tree. Of the same prices that of the
 * nearest division counts, then the one that began last. Where there are no prices, a look at an empty table is all it takes.
 * @param products selects the ids of the products.
 */
export const bestPrices = (
  products: RawBuilder<unknown>,
  { divisionId, at }: PricedFor,
): RawBuilder<Best> => sql<Best>`(
  with recursive above (id, parent, distance) as (
    select id, parent, 0 from divisions where id = ${divisionId}::bigint
    union all
    select higher.id, higher.parent, above.distance + 1
    from divisions higher join above on higher.id = above.parent
  )
  select distinct on (listed.product_id) listed.product_id as best_product, listed.price as best_price,
    listed.id as list_id, listed.name as list_name
  from prices listed
  join above on above.id = listed.division_id and (above.distance = 0 or listed.covers = 'tree')
  join products sold on sold.id = listed.product_id and sold.currency = listed.currency and sold.price > listed.price
  where exists (select from prices)
    and listed.product_id in (${products})
    and listed.valid_from <= ${at}::timestamptz and (listed.valid_to is null or listed.valid_to > ${at}::timestamptz)
  order by listed.product_id, listed.price, above.distance, listed.valid_from desc, listed.id)`

/** A product, and what a buyer pays for it. */
export interface PricedProduct extends Omit<Product, 'createdAt' | 'modifiedAt'>, DivisionPrice {}

type ProductCells = readonly [
  ...[id: number, remoteId: string, sku: string, name: string, price: string, currency: string, isActive: boolean],
  ...[baseCode: string, category: string, image: string, attributes: string],
  ...listed: ListCells,
]
type ListCells = readonly [price: string | null, id: number | null, name: string | null]

/**
 * Products with the prices of a buyer as one text, which `pricedProductsIn` reads: reading 10,000 rows takes longer.
 * @param products selects the ids of the products.
 */
export const pricedProductsText = (products: RawBuilder<unknown>, buyer: PricedFor): RawBuilder<string | null> => sql`(
  select json_agg(json_build_array(id, remote_id, sku, name, price::text, currency, is_active, base_code, category, image,
    attributes, best_price::text, list_id, list_name))::text
  from products left join ${bestPrices(products, buyer)} as best on best_product = id
  where id in (${products}))`

/** By id. */
export const pricedProductsIn = (text: string | null): Map<number, PricedProduct> => {
  const rows = JSON.parse(text ?? '[]') as readonly ProductCells[]
  return new Map(
    rows.map(
      ([id, remoteId, sku, name, price, currency, isActive, ...[baseCode, category, image, attributes, ...listed]]) => {
        const looks = { baseCode, category, image, attributes: attributesIn(attributes) }
        return [
          id,
          { id, remoteId, sku, name, price: BigInt(price), currency, isActive, ...looks, ...listedIn(listed) },
        ]
      },
    ),
  )
}

const listedIn = ([price, id, name]: ListCells): DivisionPrice =>
  price === null || id === null || name === null ? unlisted : { divisionPrice: BigInt(price), priceList: { id, name } }
const unlisted: DivisionPrice = { divisionPrice: null, priceList: null }

/** These products by id, inactive ones too, with the prices of a buyer: one statement, so all of them are of one moment. */
export const pricedProducts = async (
  db: Db | Tx,
  ids: readonly number[],
  buyer: PricedFor,
): Promise<Map<number, PricedProduct>> => {
  const { rows } = await sql<{ products: string | null }>`
    with wanted as (select unnest(${ids}::bigint[]) as wanted_id)
    select ${pricedProductsText(sql`select wanted_id from wanted`, buyer)} as products`.execute(db)
  return pricedProductsIn(rows[0]?.products ?? null)
}
