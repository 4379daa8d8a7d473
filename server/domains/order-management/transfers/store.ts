import { sql, type ExpressionBuilder, type Generated } from 'kysely'
import { Type } from 'typebox'
import { transferStatuses, type TransferStatus } from '#events/order-management.ts'
import type { Db, Tables, Tx } from '#platform/db/database.ts'
import { Id, OneOf } from '#platform/http/schemas.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { custom, equals, oneOf, time } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import type { TransferAction } from './lifecycle.ts'
import type { Disposition } from './stock-steps.ts'
import { transferNumber, type Item, type Transfer } from './transfer.ts'

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
/** One change of a transfer: who did what, and where it led. */
export interface HistoryEntry {
  readonly action: TransferAction | 'create'
  /** Null for the creation. */
  readonly fromStatus: TransferStatus | null
  readonly toStatus: TransferStatus
  /** Why less arrived than was sent. */
  readonly reason: string | null
  /** What became of goods that were under way. */
  readonly disposition: Disposition | null
  readonly actorId: number
  readonly createdAt: Date
}
interface TransferHistoryTable extends HistoryEntry {
  id: Generated<number>
  transferId: number
}
declare module '#platform/db/database.ts' {
  interface Tables {
    transfers: TransfersTable
    transferItems: TransferItemsTable
    transferHistory: TransferHistoryTable
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
const withParts = (eb: ExpressionBuilder<Tables, 'transfers'>) =>
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

/** Adds a transfer in status created, and the first entry of its history. A rollback leaves a gap in the numbers. */
export const insertTransfer = async (
  tx: Tx,
  { items, ...fields }: NewTransfer,
  { actorId, now }: { readonly actorId: number; readonly now: Date },
): Promise<number> => {
  const { rows } = await sql<{ next: number }>`select nextval('transfer_numbers') as next`.execute(tx)
  const number = transferNumber(now.getUTCFullYear(), rows[0]?.next ?? 0)
  const status = 'created'
  const { id } = await tx
    .insertInto('transfers')
    .values({ ...fields, number, status, createdAt: now, modifiedAt: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('transferItems')
    .values(items.map(({ sku, quantity }, position) => ({ transferId: id, sku, quantity, position })))
    .execute()
  const nothing = { fromStatus: null, reason: null, disposition: null }
  await recordChange(tx, id, { action: 'create', ...nothing, toStatus: status, actorId, createdAt: now })
  return id
}

const recordChange = (tx: Tx, transferId: number, entry: HistoryEntry): Promise<unknown> =>
  tx
    .insertInto('transferHistory')
    .values({ transferId, ...entry })
    .execute()

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

/**
 * Moves the transfer if it is still in the status it was seen in, which a caller that locked it can rely on, and adds to
 * its history. Throws otherwise.
 */
export const moveTransfer = async (
  tx: Tx,
  { id, status: fromStatus }: Transfer,
  change: Omit<HistoryEntry, 'fromStatus'>,
): Promise<Transfer> => {
  await tx
    .updateTable('transfers')
    .set({ status: change.toStatus, modifiedAt: change.createdAt })
    .where('id', '=', id)
    .where('status', '=', fromStatus)
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordChange(tx, id, { fromStatus, ...change })
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

export const transferList = defineList({
  orderings: { id: 'id', number: 'number', status: 'status', created_date: 'created_at', modified_date: 'modified_at' },
  defaultOrdering: '-id',
  filters: {
    created_date: time('created_at', 'Created'),
    status: oneOf('status', OneOf(transferStatuses)),
    number: equals('number', Type.String()),
    from_location: equals('from_location_id', Id),
    to_location: equals('to_location_id', Id),
    package: equals('package_id', Id),
    sku: custom(Type.String(), (sku) => sql`id in (select transfer_id from transfer_items where sku = ${sku})`),
  },
})

export const listTransfers = (db: Db, query: Page): Promise<Rows<Transfer>> =>
  readList(transferList, query, db.selectFrom('transfers').select(withParts))

const historyList = defineList({})

/** One page of a transfer's changes, oldest first. Its own table, because events are dropped after their retention. */
export const listHistory = (db: Db, transferId: number, page: Page): Promise<Rows<HistoryEntry>> =>
  readList(
    historyList,
    page,
    db
      .selectFrom('transferHistory')
      .select(['action', 'fromStatus', 'toStatus', 'reason', 'disposition', 'actorId', 'createdAt'])
      .where('transferId', '=', transferId),
  )
