import type { StateTable } from '../state-table.ts'

export const shipmentStatuses = [
  'created',
  'ready',
  'in_transit',
  'out_for_delivery',
  'delivered',
  'failed',
  'returned',
  'cancelled',
] as const
export type ShipmentStatus = (typeof shipmentStatuses)[number]

interface Move {
  readonly to: ShipmentStatus
  /** `caller`: by PATCH or cancel; `package`: only by shipping the package, so that both leave together. */
  readonly by: 'caller' | 'package'
}
const byCaller = <To extends ShipmentStatus>(to: To) => ({ to, by: 'caller' }) as const
const byPackage = <To extends ShipmentStatus>(to: To) => ({ to, by: 'package' }) as const

/**
 * The life of a shipment (fulfilment, "Shipment"): what may follow each status, and who moves it there.
 * So a shipment is under way exactly when its package has been shipped.
 */
export const shipmentTransitions: StateTable<ShipmentStatus, ShipmentStatus, Move> = {
  created: { ready: byCaller('ready'), in_transit: byPackage('in_transit'), cancelled: byCaller('cancelled') },
  ready: { in_transit: byPackage('in_transit'), cancelled: byCaller('cancelled') },
  in_transit: {
    out_for_delivery: byCaller('out_for_delivery'),
    delivered: byCaller('delivered'),
    failed: byCaller('failed'),
    returned: byCaller('returned'),
  },
  out_for_delivery: { delivered: byCaller('delivered'), failed: byCaller('failed'), returned: byCaller('returned') },
  delivered: {},
  failed: {},
  returned: {},
  cancelled: {},
}

/** What PATCH can set the status to. */
export const allowedStatuses = (status: ShipmentStatus): readonly ShipmentStatus[] =>
  Object.values(shipmentTransitions[status]).flatMap(({ to, by }) => (by === 'caller' ? [to] : []))

/** The operations, besides PATCH, that the status allows; in the words of their paths. */
export const allowedActions = (status: ShipmentStatus): readonly 'cancel'[] =>
  shipmentTransitions[status].cancelled === undefined ? [] : ['cancel']

/** Statuses after each status, for an API description. */
export const describeStatuses = (): string =>
  shipmentStatuses
    .flatMap((from) => {
      const next = allowedStatuses(from)
      return next.length === 0 ? [] : [`${from} → ${next.join(', ')}`]
    })
    .join('; ')
