import { sql, type ExpressionBuilder, type Generated } from 'kysely'
import type { TransferStatus } from '#events/order-management.ts'
import type { Db, Tables, Tx } from '#platform/db/database.ts'
import type { Item, Transfer } from './transfer.ts'

interface TransfersTable {
  id: Generated<number>
  number: string
  fromLocationId: number
  toLocationId: number
  packageId: number | null
  status: TransferStatus
  createdAt: Date
  modifiedAt: Date
}
interface TransferItemsTable extends Pick<Item, 'sku' | 'quantity'> {
  transferId: number
  position: number
  received: Generated<number>
}
declare module '#platform/db/database.ts' {
  interface Tables {
    transfers: TransfersTable
    transferItems: TransferItemsTable
  }
}

const columns = [
  'id',
  'number',
  'fromLocationId',
  'toLocationId',
  'packageId',
  'status',
  'createdAt',
  'modifiedAt',
] as const

/** Columns of a transfer with its items and its shipment. */
export const withParts = (eb: ExpressionBuilder<Tables, 'transfers'>) =>
  [
    ...columns,
    sql<Item[]>`(
      select json_agg(json_build_object('sku', sku, 'quantity', quantity, 'received', received) order by position)
      from transfer_items where transfer_id = transfers.id
    )`.as('items'),
    eb
      .selectFrom('shipments')
      .select('shipments.id')
      .whereRef('shipments.transferId', '=', 'transfers.id')
      .where('shipments.status', '!=', 'cancelled')
      .as('shipmentId'),
  ] as const

export interface NewTransfer extends Pick<Transfer, 'fromLocationId' | 'toLocationId' | 'packageId'> {
  readonly items: readonly Pick<Item, 'sku' | 'quantity'>[]
}

/** Adds a transfer in status created. `numberOf` makes its number of the next in the sequence; a rollback leaves a gap. */
export const insertTransfer = async (
  tx: Tx,
  { items, ...fields }: NewTransfer,
  now: Date,
  numberOf: (sequence: number) => string,
): Promise<number> => {
  const { rows } = await sql<{ next: number }>`select nextval('transfer_numbers') as next`.execute(tx)
  const { id } = await tx
    .insertInto('transfers')
    .values({ ...fields, number: numberOf(rows[0]?.next ?? 0), status: 'created', createdAt: now, modifiedAt: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('transferItems')
    .values(items.map(({ sku, quantity }, position) => ({ transferId: id, sku, quantity, position })))
    .execute()
  return id
}

export const findTransfer = (db: Db | Tx, id: number): Promise<Transfer | undefined> =>
  db.selectFrom('transfers').select(withParts).where('id', '=', id).executeTakeFirst()

/**
 * Keeps others from changing the transfer, its shipment included, until the transaction ends.
 * Locked first and read after: what one statement sees of other tables is from before it waited.
 */
export const lockTransfer = async (tx: Tx, id: number): Promise<Transfer | undefined> => {
  const held = await tx.selectFrom('transfers').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  return held === undefined ? undefined : findTransfer(tx, id)
}

/** Moves the transfer if it is still in `from`, which a caller that locked it can rely on. Throws otherwise. */
export const moveTransfer = async (
  tx: Tx,
  { id, status: from }: Transfer,
  to: TransferStatus,
  now: Date,
): Promise<Transfer> => {
  await tx
    .updateTable('transfers')
    .set({ status: to, modifiedAt: now })
    .where('id', '=', id)
    .where('status', '=', from)
    .returning('id')
    .executeTakeFirstOrThrow()
  return readTransfer(tx, id)
}

/** Writes down what arrived of each item. The caller holds the transfer's row. */
export const setReceived = async (tx: Tx, transferId: number, items: readonly Item[]): Promise<void> => {
  const input = JSON.stringify(items.map(({ sku, received }) => ({ sku, received })))
  await sql`
    update transfer_items as item set received = new.received
    from jsonb_to_recordset(${input}::jsonb) as new(sku text, received integer)
    where item.transfer_id = ${transferId} and item.sku = new.sku`.execute(tx)
}

/** A transfer that is known to exist. */
export const readTransfer = (tx: Tx, id: number): Promise<Transfer> =>
  tx.selectFrom('transfers').select(withParts).where('id', '=', id).executeTakeFirstOrThrow()
