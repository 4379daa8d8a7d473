import { sql, type Generated } from 'kysely'
import { Type } from 'typebox'
import { transferStatuses } from '#events/order-management.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { Id, OneOf } from '#platform/http/schemas.ts'
import { countBy } from '#platform/lists/count-by.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { custom, equals, oneOf, recordTimes } from '#platform/lists/filters.ts'
import {
  makeDocumentStore,
  type DocumentChange,
  type DocumentItem,
  type DocumentRow,
} from '../stock-documents/index.ts'
import type { Disposition, Item, Transfer } from './transfer.ts'

export interface TransferChange extends DocumentChange {
  /** Why less arrived than was sent. */
  readonly reason: string | null
  /** What became of goods that were under way. */
  readonly disposition: Disposition | null
}
declare module '#platform/db/database.ts' {
  interface Tables {
    transfers: DocumentRow<Transfer>
    transferItems: DocumentItem & {
      readonly transferId: number
      readonly position: number
      readonly received: Generated<number>
    }
    transferHistory: TransferChange & { readonly id: Generated<number>; readonly transferId: number }
  }
}

export const transferList = defineList({
  orderings: { id: 'id', number: 'number', status: 'status', created_date: 'created_at', modified_date: 'modified_at' },
  defaultOrdering: '-id',
  kept: {
    table: 'transfers',
    by: { status: 'status', from_location: 'from_location_id', to_location: 'to_location_id' },
  },
  filters: {
    ...recordTimes,
    status: oneOf('status', OneOf(transferStatuses)),
    number: equals('number', Type.String()),
    from_location: equals('from_location_id', Id),
    to_location: equals('to_location_id', Id),
    package: equals('package_id', Id),
    sku: custom(
      Type.String({ description: 'Only with items of this sku.' }),
      (sku) => sql`id in (select transfer_id from transfer_items where sku = ${sku})`,
    ),
  },
})

export const transferStore = makeDocumentStore<Transfer, TransferChange>({
  name: 'transfer',
  own: ['fromLocationId', 'toLocationId', 'packageId'],
  ownOfItems: ['received'],
  ownOfHistory: ['reason', 'disposition'],
  list: transferList,
})

/** How many transfers each status has, by the other filters of the list. */
export const countTransfers = (db: Db, query: object) =>
  countBy(db, { list: transferList, by: 'status', values: transferStatuses }, query, db.selectFrom('transfers'))

/** Writes down what arrived of each item. The caller holds the transfer's row. */
export const setReceived = async (tx: Tx, transferId: number, items: readonly Item[]): Promise<void> => {
  const input = JSON.stringify(items.map(({ sku, received }) => ({ sku, received })))
  await sql`
    update transfer_items as item set received = new.received
    from jsonb_to_recordset(${input}::jsonb) as new(sku text, received integer)
    where item.transfer_id = ${transferId} and item.sku = new.sku`.execute(tx)
}
