import { sql, type Generated } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { offsetOf, type Page, type Rows } from '#platform/http/pagination.ts'
import type { CreatedBetween } from '../request-fields.ts'
import type { Shipment, ShipmentFields } from './shipment.ts'
import type { ShipmentStatus } from './transitions.ts'

interface ShipmentsTable extends ShipmentFields {
  id: Generated<number>
  packageId: number
  status: ShipmentStatus
  createdAt: Date
  modifiedAt: Date
}
declare module '#platform/db/database.ts' {
  interface Tables {
    shipments: ShipmentsTable
  }
}

const columns = ['id', 'packageId', 'carrier', 'awbNumber', 'trackingUrl', 'status', 'createdAt', 'modifiedAt'] as const

/** Adds a shipment. The caller holds the package and has seen that it has none. */
export const insertShipment = (tx: Tx, packageId: number, fields: ShipmentFields, now: Date): Promise<Shipment> =>
  tx
    .insertInto('shipments')
    .values({ packageId, ...fields, status: 'created', createdAt: now, modifiedAt: now })
    .returning(columns)
    .executeTakeFirstOrThrow()

export const findShipment = (db: Db | Tx, id: number): Promise<Shipment | undefined> =>
  db.selectFrom('shipments').select(columns).where('id', '=', id).executeTakeFirst()

/** The package's shipment that is not cancelled; there is one at most. */
export const findShipmentOf = (db: Db | Tx, packageId: number): Promise<Shipment | undefined> =>
  db
    .selectFrom('shipments')
    .select(columns)
    .where('packageId', '=', packageId)
    .where('status', '!=', 'cancelled')
    .executeTakeFirst()

/**
 * Changes a shipment that is still in the status it was seen in. Every change of a shipment holds its
 * package's row, so another change cannot come between; one that did would be a bug and throws.
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
  readonly status: readonly ShipmentStatus[] | undefined
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
  const { packageId, status, awbNumber, createdFrom, createdBefore } = filters
  const matching = db
    .selectFrom('shipments')
    .where((eb) =>
      eb.and([
        ...(packageId === undefined ? [] : [eb('packageId', '=', packageId)]),
        ...(status === undefined ? [] : [eb('status', 'in', status)]),
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
