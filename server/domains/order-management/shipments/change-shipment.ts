import type { NewEvent } from '#delivery/outbox/outbox.ts'
import type { EventData } from '#events/catalogue.ts'
import type { ShipmentStatus } from '#events/order-management.ts'
import type { Tx } from '#platform/db/database.ts'
import { invalidField, orNotFound, ruleBroken } from '#platform/errors.ts'
import { realChanges } from '#platform/sent-fields.ts'
import type { Dependencies } from '../dependencies.ts'
import { allowedActions, cancelledAlready, movesWithTransfer, operatorOf, shipmentLifecycle } from './lifecycle.ts'
import { refuseBadFields, shipmentEvent, statusEvents, type Shipment, type ShipmentFields } from './shipment.ts'
import { findShipment, findShipmentOf, insertShipment, updateShipment } from './store.ts'

/** What shipments need to know of the packages they carry. */
export interface ShippedPackages {
  /** Holds the package until the transaction ends, so that it and its shipment change one at a time. */
  lock(tx: Tx, id: number): Promise<{ readonly status: string; readonly takesShipment: boolean } | undefined>
  /** The package as subscribers see it at this point of the transaction. */
  describe(tx: Tx, id: number): Promise<EventData<'package.created'>>
}

/** The two kinds of things that shipments carry. */
export interface CarriedThings {
  readonly packages: ShippedPackages
  readonly transfers: {
    /** Holds the transfer until the transaction ends, so that it and its shipment change one at a time. */
    lock(tx: Tx, id: number): Promise<unknown>
  }
}

type ShipmentChanges = Partial<ShipmentFields & { readonly status: ShipmentStatus }>
type Needs = Pick<Dependencies, 'clock' | 'outbox'> & CarriedThings

/** The changes a shipment can go through, each with its events in the same transaction. */
export const makeShipmentChanges = ({ clock, outbox, ...carried }: Needs) => {
  /** Raised when the number of a package is set or becomes another one; taking it away is not an event. */
  const awbEvents = async (tx: Tx, before: string | null, { packageId, awbNumber }: Shipment): Promise<NewEvent[]> => {
    if (packageId === null || awbNumber === null || awbNumber === before) return []
    const data = { ...(await carried.packages.describe(tx, packageId)), awb_number: awbNumber }
    return [
      { type: 'package.shipment.awb_number', data, scope: 'back-office', object: { type: 'package', id: packageId } },
    ]
  }

  /** @throws AppError 400 when the package is unknown, past shipping, or has a shipment already. */
  const create = async (tx: Tx, packageId: number, fields: ShipmentFields): Promise<Shipment> => {
    refuseBadFields(fields)
    const parcel = await carried.packages.lock(tx, packageId)
    if (parcel === undefined) throw invalidField('package', 'There is no package with this id.')
    if (!parcel.takesShipment) {
      throw ruleBroken('package_takes_no_shipment', `A package that is ${parcel.status} takes no new shipment.`)
    }
    if ((await findShipmentOf(tx, { packageId })) !== undefined) {
      throw ruleBroken('shipment_exists', 'The package has a shipment already; cancel that one first.')
    }
    const shipment = await insertShipment(tx, { packageId }, fields, clock.now())
    await outbox.append(tx, [shipmentEvent('shipment.created', shipment), ...(await awbEvents(tx, null, shipment))])
    return shipment
  }

  /**
   * Sets some fields, the status among them. Where none really changes, nothing is written.
   * @throws AppError 404; 400 for a move that the table does not have.
   */
  const update = async (tx: Tx, id: number, changes: ShipmentChanges): Promise<Shipment> => {
    refuseBadFields(changes)
    const before = await lockShipment(tx, carried, id)
    if (Object.keys(realChanges(before, changes)).length === 0) return before
    refuseMove(before, changes.status ?? before.status)

    const after = await updateShipment(tx, before, changes, clock.now())
    await outbox.append(tx, [
      ...(after.status === before.status ? [] : statusEvents(after)),
      // The number of a shipment that is cancelled with the same request is of no use to anybody.
      ...(after.status === 'cancelled' ? [] : await awbEvents(tx, before.awbNumber, after)),
    ])
    return after
  }

  /** @throws AppError 404; 400 when it is under way, over or cancelled already. */
  const cancel = async (tx: Tx, id: number): Promise<Shipment> => {
    const shipment = await lockShipment(tx, carried, id)
    if (shipment.status === 'cancelled') throw moveRefused(shipment, cancelledAlready)
    return update(tx, id, { status: 'cancelled' })
  }

  return { create, update, cancel }
}

const lockShipment = async (tx: Tx, { packages, transfers }: CarriedThings, id: number): Promise<Shipment> => {
  const seen = orNotFound(await findShipment(tx, id))
  if (seen.packageId !== null) await packages.lock(tx, seen.packageId)
  if (seen.transferId !== null) await transfers.lock(tx, seen.transferId)
  // Read again: it may have changed while the lock was waited for.
  return orNotFound(await findShipment(tx, id))
}

const refuseMove = (shipment: Shipment, to: ShipmentStatus): void => {
  const { status: from } = shipment
  if (from === 'cancelled') throw moveRefused(shipment, 'A cancelled shipment cannot be changed.')
  if (from === to) return
  const operator = operatorOf(shipment)
  const decision = shipmentLifecycle.decide(to, shipment, operator)
  if (!('refused' in decision)) return
  throw moveRefused(
    shipment,
    decision.refused === 'forbidden'
      ? movesWithTransfer(shipment)
      : shipmentLifecycle.reasonOf(decision.refused, to, shipment, operator),
  )
}

const moveRefused = (shipment: Shipment, message: string) =>
  ruleBroken('shipment_move_not_allowed', message, allowedActions(shipment))
