import { sql, type Generated, type RawBuilder, type Selectable } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { select } from '#platform/db/driver/shared-selects.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { mapRows, type Page, type Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import type { Order, OrderContent } from './order.ts'

interface QuotationOrdersTable extends Omit<Order, 'id' | 'quotationNumber' | 'division' | 'amount' | 'items'> {
  id: Generated<number>
  divisionId: number
  divisionName: string
  divisionErpCode: string | null
  /** In minor units. */
  amount: number
  /** JSON text. */
  items: string
}
declare module '#platform/db/database.ts' {
  interface Tables {
    quotationOrders: QuotationOrdersTable
  }
}

/** A row of an order, with the number of its quotation. */
export type OrderRow = Selectable<QuotationOrdersTable> & { readonly quotationNumber: string }

interface ItemRow {
  readonly item: number
  readonly product_remote_id: number | string
  readonly sku?: string
  readonly quantity: number
  readonly amount: string
}

export const toOrder = ({ divisionId, divisionName, divisionErpCode, amount, items, ...row }: OrderRow): Order => ({
  ...row,
  division: { id: divisionId, name: divisionName, erpCode: divisionErpCode },
  amount: BigInt(amount),
  items: (JSON.parse(items) as ItemRow[]).map((item) => ({
    itemId: item.item,
    productRemoteId: item.product_remote_id,
    ...(item.sku !== undefined && { sku: item.sku }),
    quantity: item.quantity,
    amount: BigInt(item.amount),
  })),
})

const itemsToRow = (items: OrderContent['items']): string =>
  JSON.stringify(
    items.map(({ itemId, productRemoteId, sku, quantity, amount }): ItemRow => ({
      item: itemId,
      product_remote_id: productRemoteId,
      ...(sku !== undefined && { sku }),
      quantity,
      amount: String(amount),
    })),
  )

/** Of the quotation of rows called `o`. */
export const quotationNumber = sql<string>`(select number from quotations where quotations.id = o.quotation_id)`
const columns = sql`o.*, ${quotationNumber} as quotation_number`

const ordersWhere = async (db: Db | Tx, which: RawBuilder<unknown>): Promise<Order[]> =>
  (await select(db, sql<OrderRow>`select ${columns} from quotation_orders o ${which}`)).map(toOrder)

/** Orders of one answer, at most. */
export const longestPage = 1_000
export const orderList = defineList({ defaultLimit: longestPage })

/** A page of the orders of a quotation, in the order in which they were made. */
export const ordersOf = async (db: Db | Tx, quotationId: number, page: Page): Promise<Rows<Order>> => {
  const orders = db
    .selectFrom('quotationOrders as o')
    .selectAll()
    .select(quotationNumber.as('quotationNumber'))
    .where('quotationId', '=', quotationId)
  return mapRows(await readList(db, orderList, page, orders), toOrder)
}

/** The first orders of a quotation, as many as one answer has. */
export const firstOrdersOf = (db: Db | Tx, quotationId: number): Promise<Order[]> =>
  ordersWhere(db, sql`where quotation_id = ${quotationId} order by id limit ${sql.lit(longestPage)}`)

export const findOrder = async (db: Db | Tx, quotationId: number, id: number): Promise<Order | undefined> => {
  const [order] = await ordersWhere(db, sql`where id = ${id} and quotation_id = ${quotationId}`)
  return order
}

/** An order of any quotation, kept from others who hold it until the transaction ends. */
export const holdOrder = async (tx: Tx, id: number): Promise<Order | undefined> => {
  const [order] = await ordersWhere(tx, sql`where id = ${id} for no key update`)
  return order
}

/** Makes the orders that are missing by their key, pending, with one statement. @returns the new orders. */
export const insertOrders = async (
  tx: Tx,
  { quotationId, currency, orders }: Pick<Order, 'quotationId' | 'currency'> & { orders: readonly OrderContent[] },
  now: Date,
): Promise<Order[]> => {
  const { rows } = await sql<OrderRow>`
    with made as (
      insert into quotation_orders
        (number, revision, division_id, division_name, division_erp_code, batch_no, quantity, amount, items,
          quotation_id, currency, status, next_attempt_at, created_at, modified_at)
      select entry.*, ${quotationId}, ${currency}, 'pending', ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
      from unnest(
        ${orders.map(({ number }) => number)}::text[],
        ${orders.map(({ revision }) => revision)}::integer[],
        ${orders.map(({ division }) => division.id)}::bigint[],
        ${orders.map(({ division }) => division.name)}::text[],
        ${orders.map(({ division }) => division.erpCode)}::text[],
        ${orders.map(({ batchNo }) => batchNo)}::integer[],
        ${orders.map(({ quantity }) => quantity)}::integer[],
        ${orders.map(({ amount }) => String(amount))}::bigint[],
        ${orders.map(({ items }) => itemsToRow(items))}::text[]
      ) as entry
      on conflict (quotation_id, revision, division_id, batch_no) do nothing
      returning *
    ) select ${columns} from made o order by id`.execute(tx)
  return rows.map(toOrder)
}

/** Makes failed orders pending, and due at once. Locks them in the order of their ids. @returns the changed orders. */
export const queueFailed = async (
  tx: Tx,
  which: { quotationId: number } | { ids: readonly number[] },
  now: Date,
): Promise<Order[]> => {
  const condition = 'ids' in which ? sql`id = any(${which.ids}::bigint[])` : sql`quotation_id = ${which.quotationId}`
  const { rows } = await sql<OrderRow>`
    with failed as (
      select id from quotation_orders where status = 'failed' and ${condition} order by id for update
    ), o as (
      update quotation_orders set status = 'pending', next_attempt_at = ${now}::timestamptz, modified_at = ${now}::timestamptz
      from failed where quotation_orders.id = failed.id returning quotation_orders.*
    ) select ${columns} from o order by id`.execute(tx)
  return rows.map(toOrder)
}

/** What has become of these, and of which quotations they are; those that there are not are left out. */
export const statusesOf = async (
  db: Db | Tx,
  ids: readonly number[],
): Promise<Map<number, Pick<Order, 'status' | 'quotationId'>>> => {
  const rows = await db
    .selectFrom('quotationOrders')
    .select(['id', 'status', 'quotationId'])
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .orderBy('id')
    .execute()
  return new Map(rows.map(({ id, ...reached }) => [id, reached]))
}

/** Takes the order that is due longest for one try. Nobody else takes it before `until`, by when the try ends or has died. */
export const claimOrder = async (
  tx: Tx,
  quotationId: number | undefined,
  { now, until }: { readonly now: Date; readonly until: Date },
) => {
  const which = quotationId === undefined ? sql`true` : sql`quotation_id = ${quotationId}`
  const { rows } = await sql<OrderRow & { readonly hadFailed: boolean }>`
    with due as (
      select id, status = 'failed' as had_failed from quotation_orders
      where ${which} and status <> 'created' and next_attempt_at <= ${now}::timestamptz
      order by next_attempt_at, id limit 1 for update skip locked
    ), o as (
      update quotation_orders set status = 'pending', attempts = attempts + 1,
        next_attempt_at = ${until}::timestamptz, modified_at = ${now}::timestamptz
      from due where quotation_orders.id = due.id returning quotation_orders.*, due.had_failed
    ) select ${columns} from o`.execute(tx)
  return rows.map(({ hadFailed, ...row }) => ({ order: toOrder(row), hadFailed }))[0]
}

/** Writes down that the platform has it, whoever found out. @returns undefined when that was known. */
export const markCreated = async (tx: Tx, id: number, remoteNumber: string, now: Date): Promise<Order | undefined> => {
  const { rows } = await sql<OrderRow>`
    update quotation_orders o set status = 'created', remote_number = ${remoteNumber}, error = null,
      next_attempt_at = null, modified_at = ${now}
    where id = ${id} and status <> 'created' returning ${columns}`.execute(tx)
  return rows.map(toOrder)[0]
}

/** Whether another order of its quotation has failed now: at all, or so often that it is not tried again by itself. */
export const hasOtherFailed = async (
  tx: Tx,
  { id, quotationId }: Order,
  how: 'at_all' | 'for_good',
): Promise<boolean> => {
  const others = tx
    .selectFrom('quotationOrders')
    .select('id')
    .where('quotationId', '=', quotationId)
    .where('status', '=', 'failed')
    .where('id', '<>', id)
  const those = how === 'at_all' ? others : others.where('nextAttemptAt', 'is', null)
  return (await those.limit(1).executeTakeFirst()) !== undefined
}

/** Writes down that a try failed. @returns undefined when somebody has tried it again since. */
export const markFailed = async (
  tx: Tx,
  { id, attempts }: Order,
  { error, nextAttemptAt }: Pick<Order, 'error' | 'nextAttemptAt'>,
  now: Date,
): Promise<Order | undefined> => {
  const { rows } = await sql<OrderRow>`
    update quotation_orders o set status = 'failed', error = ${error}, next_attempt_at = ${nextAttemptAt}, modified_at = ${now}
    where id = ${id} and attempts = ${attempts} and status = 'pending' returning ${columns}`.execute(tx)
  return rows.map(toOrder)[0]
}

export const isAnyDue = async (db: Db | Tx, now: Date): Promise<boolean> => {
  const due = db.selectFrom('quotationOrders').select('id').where('status', '<>', 'created')
  return (await due.where('nextAttemptAt', '<=', now).limit(1).executeTakeFirst()) !== undefined
}
