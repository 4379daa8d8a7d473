import { Type } from 'typebox'
import { shipmentStatuses, type ShipmentStatus } from '#events/order-management.ts'
import type { Db, Tx, WithGeneratedId } from '#platform/db/database.ts'
import { Id, OneOf } from '#platform/http/schemas.ts'
import { countBy } from '#platform/lists/count-by.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { equals, oneOf, recordTimes } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import type { Shipment, ShipmentFields } from './shipment.ts'

declare module '#platform/db/database.ts' {
  interface Tables {
    shipments: WithGeneratedId<Shipment>
  }
}

const columns = [
  'id',
  'packageId',
  'transferId',
  'carrier',
  'awbNumber',
  'trackingUrl',
  'status',
  'createdAt',
  'modifiedAt',
] as const

/** What a shipment carries: exactly one of the two. */
export type Carried = { readonly packageId: number } | { readonly transferId: number }

/** Adds a shipment. The caller holds what it carries and has seen that this has none. */
export const insertShipment = (tx: Tx, carried: Carried, fields: ShipmentFields, now: Date): Promise<Shipment> =>
  tx
    .insertInto('shipments')
    .values({
      packageId: null,
      transferId: null,
      ...carried,
      ...fields,
      status: 'created',
      createdAt: now,
      modifiedAt: now,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()

export const findShipment = (db: Db | Tx, id: number): Promise<Shipment | undefined> =>
  db.selectFrom('shipments').select(columns).where('id', '=', id).executeTakeFirst()

/** The shipment of a package or transfer that is not cancelled; there is one at most. */
export const findShipmentOf = (db: Db | Tx, carried: Carried): Promise<Shipment | undefined> =>
  db
    .selectFrom('shipments')
    .select(columns)
    .where((eb) => eb.and(carried))
    .where('status', '!=', 'cancelled')
    .executeTakeFirst()

/**
 * Changes a shipment that is still in the status it was seen in. Every change of a shipment holds the row of
 * its package or transfer, so another change cannot come between; one that did would be a bug and throws.
 */
export const updateShipment = (
  tx: Tx,
  { id, status }: Shipment,
  changes: Partial<ShipmentFields & { status: ShipmentStatus }>,
  now: Date,
): Promise<Shipment> =>
  tx
    .updateTable('shipments')
    .set({ ...changes, modifiedAt: now })
    .where('id', '=', id)
    .where('status', '=', status)
    .returning(columns)
    .executeTakeFirstOrThrow()

export const shipmentList = defineList({
  orderings: {
    id: 'id',
    carrier: 'carrier',
    status: 'status',
    created_date: 'created_at',
    modified_date: 'modified_at',
  },
  defaultOrdering: '-id',
  kept: { table: 'shipments', by: { status: 'status', carrier: 'carrier' } },
  filters: {
    ...recordTimes,
    package: equals('package_id', Id),
    transfer: equals('transfer_id', Id),
    status: oneOf('status', OneOf(shipmentStatuses)),
    carrier: equals('carrier', Type.String()),
    awb_number: equals('awb_number', Type.String()),
  },
})

export const listShipments = (db: Db, query: Page): Promise<Rows<Shipment>> =>
  readList(db, shipmentList, query, db.selectFrom('shipments').select(columns))

/** How many shipments each status has, by the other filters of the list. */
export const countShipments = (db: Db, query: object) =>
  countBy(db, { list: shipmentList, by: 'status', values: shipmentStatuses }, query, db.selectFrom('shipments'))
