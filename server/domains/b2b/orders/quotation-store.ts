import { sql } from 'kysely'
import type { Db, Tables, Tx } from '#platform/db/database.ts'
import type { OrderedLine } from '../money/index.ts'
import type { HeldQuotation } from '../quotations/index.ts'
import type { PlatformOrder } from './platform/commerce-platform.ts'

/** What decides about the orders of a quotation. */
export type QuotationHead = Pick<HeldQuotation['quotation'], 'id' | 'number' | 'revision' | 'currency' | 'batchSize'>

/** A quotation as far as orders are made of it. */
export interface OrderedQuotation extends Omit<QuotationHead, 'batchSize'> {
  readonly batchSize: number
  /** In sequence. */
  readonly lines: readonly (OrderedLine & { readonly id: number; readonly sku: string | null })[]
  /** Those of the lines, by id. */
  readonly divisions: ReadonlyMap<number, PlatformOrder['division']>
}

const headColumns = sql`id, number, revision, currency, batch_size`

export const findHead = async (db: Db | Tx, id: number): Promise<QuotationHead | undefined> =>
  (await sql<QuotationHead>`select ${headColumns} from quotations where id = ${id}`.execute(db)).rows[0]

/** Keeps others from changing the quotation, and from making orders of it, until the transaction ends. */
export const holdHead = async (tx: Tx, id: number): Promise<QuotationHead | undefined> =>
  (await sql<QuotationHead>`select ${headColumns} from quotations where id = ${id} for no key update`.execute(tx))
    .rows[0]

/** Keeps others from changing the quotations of these orders until the transaction ends. @returns order → quotation. */
export const holdQuotationsOf = async (tx: Tx, orderIds: readonly number[]): Promise<ReadonlyMap<number, number>> => {
  const { rows } = await sql<{ id: number; quotationId: number }>`
    select id, quotation_id from quotation_orders where id = any(${orderIds}::bigint[])`.execute(tx)
  const quotations = rows.map(({ quotationId }) => quotationId)
  await sql`select from quotations where id = any(${quotations}::bigint[]) order by id for no key update`.execute(tx)
  return new Map(rows.map(({ id, quotationId }) => [id, quotationId]))
}

/** From then on its orders are cut like this, whatever is configured later. The caller holds it. */
export const keepBatchSize = async (tx: Tx, id: number, batchSize: number): Promise<void> => {
  await sql`update quotations set batch_size = ${batchSize} where id = ${id}`.execute(tx)
}

/** Reads what orders are made of, with two queries. */
export const readLines = async (db: Db | Tx, id: number): Promise<Pick<OrderedQuotation, 'lines' | 'divisions'>> => {
  const { rows } = await sql<
    Pick<Tables['quotationItems'], 'productRemoteId' | 'sku' | 'netAmount' | 'divisions'> & { id: number }
  >`
    select id, product_remote_id, sku, net_amount, divisions from quotation_items
    where quotation_id = ${id} order by id`.execute(db)
  const lines = rows.map(({ netAmount, divisions, ...row }) => ({
    ...row,
    net: BigInt(netAmount),
    divisions: JSON.parse(divisions) as OrderedLine['divisions'],
  }))
  const ids = new Set(lines.flatMap(({ divisions }) => divisions.map((division) => division.id)))
  return { lines, divisions: await readDivisions(db, [...ids]) }
}

const readDivisions = async (db: Db | Tx, ids: readonly number[]): Promise<OrderedQuotation['divisions']> => {
  const { rows } = await sql<PlatformOrder['division']>`
    select id, name, erp_code from divisions where id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}
