import { shipmentStatuses, type ShipmentStatus } from '#events/order-management.ts'
import { makeLifecycle, type Part, type Rule, type Terms } from '#platform/lifecycle/lifecycle.ts'

export interface ShipmentTerms extends Terms {
  readonly status: ShipmentStatus
  /** The status that it leads to. */
  readonly action: ShipmentStatus
  readonly code: 'does_not_follow' | 'leaves_with_package'
  /** `operator`: by PATCH or cancel; `package`: by a move of the package, so that both leave together. */
  readonly actor: 'operator' | 'package'
}

const becomes = (to: ShipmentStatus, actors: Rule<ShipmentTerms>['actors'], ...from: ShipmentStatus[]) => ({
  action: to,
  ...(actors && { actors }),
  from: Object.fromEntries(from.map((status) => [status, { to }])),
})
const leavesWithPackage = { refused: 'leaves_with_package' } as const

/**
 * The life of a package's shipment (fulfilment, "Shipment"). It is under way exactly when its package has been shipped.
 * That of a transfer follows the transfer's table.
 */
export const shipmentLifecycle = makeLifecycle<ShipmentTerms>({
  statuses: shipmentStatuses,
  conditions: {
    does_not_follow: { says: 'A shipment that is {status} cannot become {action}; it can become {allowed}.' },
    leaves_with_package: { says: 'The shipment leaves when its package is shipped: ship the package.' },
  },
  otherwise: 'does_not_follow',
  rules: [
    becomes('created', ['operator']),
    becomes('ready', ['operator'], 'created'),
    becomes('in_transit', ['package'], 'created', 'ready'),
    { action: 'in_transit', actors: ['operator'], from: { created: leavesWithPackage, ready: leavesWithPackage } },
    becomes('out_for_delivery', ['operator'], 'in_transit'),
    becomes('delivered', ['operator'], 'in_transit', 'out_for_delivery'),
    becomes('failed', ['operator'], 'in_transit', 'out_for_delivery'),
    becomes('returned', ['operator'], 'in_transit', 'out_for_delivery'),
    becomes('cancelled', ['operator', 'package'], 'created', 'ready'),
  ],
})

interface Carrying {
  readonly status: ShipmentStatus
  readonly transferId: number | null
}

/** An operator's part in a shipment: none in that of a transfer, which goes along with the transfer. */
export const operatorOf = ({ transferId }: Pick<Carrying, 'transferId'>): Part<ShipmentTerms> => ({
  actors: transferId === null ? ['operator'] : [],
})

/** What PATCH can set the status to. */
export const allowedStatuses = (shipment: Carrying): ShipmentStatus[] =>
  shipmentLifecycle.allowedActions(shipment, operatorOf(shipment))

/** The operations, besides PATCH, that are possible; in the words of their paths. */
export const allowedActions = (shipment: Carrying): 'cancel'[] =>
  allowedStatuses(shipment).includes('cancelled') ? ['cancel'] : []

export const cancelledAlready = 'The shipment is cancelled already.'

/** Why the status of a transfer's shipment cannot be set. */
export const movesWithTransfer = ({ transferId }: Pick<Carrying, 'transferId'>): string =>
  `The shipment goes along with its transfer: move transfer ${transferId}.`

/** The operations that are not possible, with the reason that their refusal says. */
export const blockedActions = (shipment: Carrying): { cancel?: string } => {
  const operator = operatorOf(shipment)
  const decision = shipmentLifecycle.decide('cancelled', shipment, operator)
  if (!('refused' in decision)) return {}
  if (shipment.status === 'cancelled') return { cancel: cancelledAlready }
  const reason =
    decision.refused === 'forbidden'
      ? movesWithTransfer(shipment)
      : shipmentLifecycle.reasonOf(decision.refused, 'cancelled', shipment, operator)
  return { cancel: reason }
}
