import { sql, type Generated } from 'kysely'
import type { ShipmentStatus } from '#events/order-management.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { offsetOf, type Page, type Rows } from '#platform/http/pagination.ts'
import type { CreatedBetween } from '../request-fields.ts'
import type { Shipment, ShipmentFields } from './shipment.ts'

interface ShipmentsTable extends ShipmentFields {
  id: Generated<number>
  packageId: number | null
  transferId: number | null
  status: ShipmentStatus
  createdAt: Date
  modifiedAt: Date
}
declare module '#platform/db/database.ts' {
  interface Tables {
    shipments: ShipmentsTable
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

export interface ShipmentFilters extends CreatedBetween {
  readonly packageId: number | undefined
  readonly transferId: number | undefined
  readonly status: readonly ShipmentStatus[] | undefined
  readonly carrier: string | undefined
  readonly awbNumber: string | undefined
}

const orderColumns: Record<string, string> = {
  id: 'id',
  carrier: 'carrier',
  status: 'status',
  created_date: 'created_at',
  modified_date: 'modified_at',
}
/** Fields that the list can be ordered by. */
export const shipmentOrderings = Object.keys(orderColumns)

/** One page of the shipments that fit, ordered by a field of `shipmentOrderings` and then by id. */
export const listShipments = async (
  db: Db,
  filters: ShipmentFilters,
  page: Page,
  { field, direction }: { field: string; direction: 'asc' | 'desc' },
): Promise<Rows<Shipment>> => {
  const { packageId, transferId, status, carrier, awbNumber, createdFrom, createdBefore } = filters
  const matching = db
    .selectFrom('shipments')
    .where((eb) =>
      eb.and([
        ...(packageId === undefined ? [] : [eb('packageId', '=', packageId)]),
        ...(transferId === undefined ? [] : [eb('transferId', '=', transferId)]),
        ...(status === undefined ? [] : [eb('status', 'in', status)]),
        ...(carrier === undefined ? [] : [eb('carrier', '=', carrier)]),
        ...(awbNumber === undefined ? [] : [eb('awbNumber', '=', awbNumber)]),
        ...(createdFrom === undefined ? [] : [eb('createdAt', '>=', createdFrom)]),
        ...(createdBefore === undefined ? [] : [eb('createdAt', '<', createdBefore)]),
      ]),
    )
  const { count } = await matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await matching
    .select(columns)
    .orderBy(sql.ref(orderColumns[field] ?? 'id'), direction)
    .orderBy('id', direction)
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
  return { rows, count }
}
