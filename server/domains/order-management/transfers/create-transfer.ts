import type { Tx } from '#platform/db/database.ts'
import { invalidField, ruleBroken } from '#platform/errors.ts'
import type { Dependencies } from '../dependencies.ts'
import { shippedPackages } from '../packages/index.ts'
import { insertShipment, refuseBadFields, shipmentEvent, type ShipmentFields } from '../shipments/index.ts'
import { holdWorkLocation } from '../stock-locations/index.ts'
import { refuseDoubles } from '../request-fields.ts'
import type { DocumentItem } from '../stock-documents/index.ts'
import { transferStore } from './store.ts'
import { transferEvent, type Transfer } from './transfer.ts'

export interface TransferPlan extends Pick<Transfer, 'fromLocationId' | 'toLocationId' | 'packageId'> {
  readonly items: readonly DocumentItem[]
  /** What is said of the shipment; only a transfer that serves a package has one. */
  readonly shipment: Partial<ShipmentFields>
}

/**
 * Plans a transfer (fulfilment: new → created), with a shipment when it serves a package. Nothing is allocated yet.
 *
 * Locks are taken in the order package, locations by id. Both locations are held, so that neither is
 * deactivated between being looked at and the end of the transaction.
 * @throws AppError 400 for locations, a package, items or shipment fields that do not fit.
 */
export const makeCreateTransfer =
  ({ clock, outbox }: Pick<Dependencies, 'clock' | 'outbox'>) =>
  async (tx: Tx, { shipment, ...plan }: TransferPlan, actorId: number): Promise<Transfer> => {
    if (plan.fromLocationId === plan.toLocationId) {
      throw invalidField('to_location', 'A transfer goes to another location than it comes from.')
    }
    refuseDoubles(plan.items)
    if (plan.packageId === null) refuseShipmentFields(shipment)
    else await holdPackage(tx, plan.packageId)
    await holdLocations(tx, plan)
    refuseBadFields(shipment)

    const now = clock.now()
    const { id } = await transferStore.insert(tx, plan, { actorId, now })
    const fields = { ...shipmentDefaults, ...shipment }
    const made = plan.packageId === null ? [] : [await insertShipment(tx, { transferId: id }, fields, now)]
    const transfer = await transferStore.read(tx, id)
    const shipmentEvents = made.map((one) => shipmentEvent('shipment.created', one))
    await outbox.append(tx, [transferEvent(transfer), ...shipmentEvents])
    return transfer
  }

const shipmentDefaults: ShipmentFields = { carrier: 'internal', awbNumber: null, trackingUrl: null }

const refuseShipmentFields = ({ carrier, awbNumber, trackingUrl }: Partial<ShipmentFields>): void => {
  const sent = Object.entries({ carrier, awb_number: awbNumber, tracking_url: trackingUrl })
  const field = sent.find(([, value]) => value !== undefined && value !== null)?.[0]
  if (field !== undefined) throw invalidField(field, 'Only a transfer that serves a package has a shipment.')
}

/** Held, so that it is not shipped or cancelled before the transfer is there. */
const holdPackage = async (tx: Tx, id: number): Promise<void> => {
  const parcel = await shippedPackages.lock(tx, id)
  if (parcel === undefined) throw invalidField('package', 'There is no package with this id.')
  if (!parcel.takesShipment) {
    throw ruleBroken('package_takes_no_transfer', `A package that is ${parcel.status} takes no new transfer.`)
  }
}

const holdLocations = async (
  tx: Tx,
  { fromLocationId, toLocationId }: Omit<TransferPlan, 'shipment'>,
): Promise<void> => {
  const ends: (readonly [number, string])[] = [
    [fromLocationId, 'from_location'],
    [toLocationId, 'to_location'],
  ]
  for (const [id, field] of ends.toSorted(([a], [b]) => a - b)) await holdWorkLocation(tx, id, field)
}
