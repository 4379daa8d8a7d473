import { sql, type Generated, type RawBuilder, type Selectable } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { preparedSelect } from '#platform/db/driver/shared-selects.ts'
import type { Quotation } from '../quotation.ts'
import type { AppliedDiscount, DiscountType, Item, Share, Terms } from './terms.ts'

interface ItemsTable {
  id: Generated<number>
  quotationId: number
  productId: number
  productRemoteId: string
  sku: string | null
  productName: string
  listPrice: number
  divisionPrice: number | null
  priceListId: number | null
  priceListName: string | null
  priceOverride: number | null
  quantity: number
  totalAmount: number
  netAmount: number
  /** JSON text. */
  divisions: string
}
interface DiscountsTable {
  id: Generated<number>
  quotationId: number
  itemId: number | null
  discountType: DiscountType
  value: number
  amount: number
  createdBy: number
  createdAt: Date
}
declare module '#platform/db/database.ts' {
  interface Tables {
    quotationItems: ItemsTable
    quotationDiscounts: DiscountsTable
  }
}

const itemColumns = [
  ...(['id', 'productId', 'productRemoteId', 'sku', 'productName', 'listPrice', 'priceOverride', 'quantity'] as const),
  ...(['totalAmount', 'netAmount', 'divisions', 'divisionPrice', 'priceListId', 'priceListName'] as const),
] as const
const discountColumns = ['id', 'itemId', 'discountType', 'value', 'amount', 'createdAt'] as const

/** Items and discounts as they come out of the database. */
export interface StoredTerms {
  readonly items: readonly Pick<Selectable<ItemsTable>, (typeof itemColumns)[number]>[]
  readonly discounts: readonly (Omit<
    Pick<Selectable<DiscountsTable>, (typeof discountColumns)[number]>,
    'createdAt'
  > & {
    readonly createdAt: string
  })[]
}

/** Rows of a quotation as a JSON array, in the order of their creation. */
const rowsOf = (table: RawBuilder<unknown>, columns: readonly string[], quotationId: RawBuilder<unknown>) => sql`(
  select coalesce(json_agg(json_build_object(
    ${sql.join(columns.flatMap((name) => [sql.lit(name), sql.ref(name)]))}) order by id), '[]')
  from ${table} where quotation_id = ${quotationId})`

/** The terms of a quotation as columns of a statement: items and discounts of one moment. */
export const termsColumns = (quotationId: RawBuilder<unknown>): RawBuilder<StoredTerms> =>
  sql`${rowsOf(sql`quotation_items`, itemColumns, quotationId)} as items,
    ${rowsOf(sql`quotation_discounts`, discountColumns, quotationId)} as discounts`

export const toTerms = (
  { currency, totalAmount, netAmount }: Pick<Quotation, 'currency' | 'totalAmount' | 'netAmount'>,
  { items, discounts }: StoredTerms,
): Terms => ({
  currency,
  totalAmount,
  netAmount,
  items: items.map(({ priceListId, priceListName, ...row }): Item => ({
    ...row,
    listPrice: BigInt(row.listPrice),
    divisionPrice: row.divisionPrice === null ? null : BigInt(row.divisionPrice),
    priceList: priceListId === null || priceListName === null ? null : { id: priceListId, name: priceListName },
    priceOverride: row.priceOverride === null ? null : BigInt(row.priceOverride),
    totalAmount: BigInt(row.totalAmount),
    netAmount: BigInt(row.netAmount),
    divisions: JSON.parse(row.divisions) as Share[],
  })),
  discounts: discounts.map((row): AppliedDiscount => ({
    id: row.id,
    itemId: row.itemId,
    type: row.discountType,
    value: BigInt(row.value),
    amount: BigInt(row.amount),
    createdAt: new Date(row.createdAt),
  })),
})

/** What a quotation offers. */
export const readTerms = async (db: Db | Tx, quotation: Quotation): Promise<Terms> => {
  const [row] = await preparedSelect(db, sql<StoredTerms>`select ${termsColumns(sql`${quotation.id}::bigint`)}`)
  return toTerms(quotation, row ?? { items: [], discounts: [] })
}

/** Adds items, in their order. @returns their ids in the same order. */
export const insertItems = async (tx: Tx, quotationId: number, items: readonly Item[]): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    insert into quotation_items (quotation_id, product_id, product_remote_id, sku, product_name, list_price, price_override,
      quantity, total_amount, net_amount, divisions, division_price, price_list_id, price_list_name)
    select ${quotationId}::bigint, product_id, product_remote_id, sku, product_name, list_price, price_override,
      quantity, total_amount, net_amount, divisions, division_price, price_list_id, price_list_name
    from rows from (unnest(
      ${items.map(({ productId }) => productId)}::bigint[], ${items.map(({ productRemoteId }) => productRemoteId)}::text[],
      ${items.map(({ sku }) => sku)}::text[],
      ${items.map(({ productName }) => productName)}::text[], ${items.map(({ listPrice }) => Number(listPrice))}::bigint[],
      ${items.map(({ priceOverride }) => (priceOverride === null ? null : Number(priceOverride)))}::bigint[],
      ${items.map(({ quantity }) => quantity)}::int[], ${items.map(({ totalAmount }) => Number(totalAmount))}::bigint[],
      ${items.map(({ netAmount }) => Number(netAmount))}::bigint[],
      ${items.map(({ divisions }) => JSON.stringify(divisions))}::text[],
      ${items.map(({ divisionPrice }) => (divisionPrice === null ? null : Number(divisionPrice)))}::bigint[],
      ${items.map(({ priceList }) => priceList?.id ?? null)}::bigint[],
      ${items.map(({ priceList }) => priceList?.name ?? null)}::text[]
    )) with ordinality as given (product_id, product_remote_id, sku, product_name, list_price, price_override, quantity,
      total_amount, net_amount, divisions, division_price, price_list_id, price_list_name, position)
    order by position
    returning id`.execute(tx)
  return rows.map(({ id }) => id).toSorted((one, other) => one - other)
}

/** Keeps what was agreed on and what it comes to, of all items and discounts. The caller holds the quotation. */
export const savePriced = async (tx: Tx, { items, discounts }: Terms): Promise<void> => {
  await sql`
    update quotation_items as item set price_override = given.price_override, quantity = given.quantity,
      total_amount = given.total_amount, net_amount = given.net_amount, divisions = given.divisions
    from unnest(
      ${items.map(({ id }) => id)}::bigint[],
      ${items.map(({ priceOverride }) => (priceOverride === null ? null : Number(priceOverride)))}::bigint[],
      ${items.map(({ quantity }) => quantity)}::int[], ${items.map(({ totalAmount }) => Number(totalAmount))}::bigint[],
      ${items.map(({ netAmount }) => Number(netAmount))}::bigint[],
      ${items.map(({ divisions }) => JSON.stringify(divisions))}::text[]
    ) as given (id, price_override, quantity, total_amount, net_amount, divisions)
    where item.id = given.id`.execute(tx)
  if (discounts.length === 0) return
  await sql`
    update quotation_discounts as discount set amount = given.amount
    from unnest(${discounts.map(({ id }) => id)}::bigint[], ${discounts.map(({ amount }) => Number(amount))}::bigint[])
      as given (id, amount)
    where discount.id = given.id`.execute(tx)
}

export const deleteItem = async (tx: Tx, id: number): Promise<void> => {
  await tx.deleteFrom('quotationItems').where('id', '=', id).execute()
}

export const deleteDiscount = async (tx: Tx, id: number): Promise<void> => {
  await tx.deleteFrom('quotationDiscounts').where('id', '=', id).execute()
}

export interface NewDiscount extends Omit<AppliedDiscount, 'id'> {
  readonly createdBy: number
}

/** Adds discounts, in their order. @returns their ids in the same order. */
export const insertDiscounts = async (
  tx: Tx,
  quotationId: number,
  discounts: readonly NewDiscount[],
): Promise<number[]> => {
  if (discounts.length === 0) return []
  const rows = await tx
    .insertInto('quotationDiscounts')
    .values(
      discounts.map(({ type, value, amount, ...discount }) => ({
        ...discount,
        quotationId,
        discountType: type,
        value: Number(value),
        amount: Number(amount),
      })),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id).toSorted((one, other) => one - other)
}
