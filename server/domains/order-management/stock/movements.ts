/** What each kind of movement does with one piece: to what is there, and to what is promised to packages and transfers. */
export const movementKinds = {
  /** An operator counted, received or lost something; the quantity is signed. */
  adjust: { onHand: 1, allocated: 0, needsStock: true },
  /** Promised to a package or transfer that was handed to this location. */
  allocate: { onHand: 0, allocated: 1, needsStock: true },
  /** No longer promised. */
  release: { onHand: 0, allocated: -1, needsStock: false },
  /** Left with the package it was promised to. */
  sale: { onHand: -1, allocated: -1, needsStock: false },
  /** Came back. */
  restock: { onHand: 1, allocated: 0, needsStock: false },
  /** Left for another location, with the transfer it was promised to. */
  transfer_out: { onHand: -1, allocated: -1, needsStock: false, needsOnHand: true },
  /** Came from another location. */
  transfer_in: { onHand: 1, allocated: 0, needsStock: false },
  /** Is here, or came back, and is of no use. Always follows a release, restock or arrival of the same pieces. */
  write_off: { onHand: -1, allocated: 0, needsStock: false },
} as const satisfies Record<string, Effect>

interface Effect {
  readonly onHand: -1 | 0 | 1
  readonly allocated: -1 | 0 | 1
  /** Whether it may not leave less available than nothing, unless the location allows back-orders (fulfilment). */
  readonly needsStock: boolean
  /** Whether the pieces must be there, whatever the location allows: what is on back-order cannot arrive elsewhere. */
  readonly needsOnHand?: boolean
}

export type MovementKind = keyof typeof movementKinds

/** One movement of one sku at one location. */
export interface Movement {
  readonly location: { readonly id: number; readonly allowBackorder: boolean }
  readonly sku: string
  readonly kind: MovementKind
  /** Pieces; negative only for `adjust`. */
  readonly quantity: number
}

export interface Balance {
  readonly sku: string
  readonly onHand: number
  readonly allocated: number
}

/** What can still be promised. Negative where back-orders are. */
export const availableOf = ({ onHand, allocated }: Balance): number => onHand - allocated

/** The balance after a movement. */
export const applied = (balance: Balance, { kind, quantity }: Movement): Balance => ({
  sku: balance.sku,
  onHand: balance.onHand + movementKinds[kind].onHand * quantity,
  allocated: balance.allocated + movementKinds[kind].allocated * quantity,
})

/** How many of a sku a movement can take from a balance. */
export const takeableOf = (balance: Balance, { kind }: Movement): number => {
  const { needsOnHand }: Effect = movementKinds[kind]
  return needsOnHand === true ? balance.onHand : availableOf(balance)
}

/** Whether the movement takes what is not there or not available. Adding to a balance that is too low is always fine. */
export const isShort = (before: Balance, movement: Movement): boolean => {
  const { needsStock, needsOnHand }: Effect = movementKinds[movement.kind]
  const left = takeableOf(applied(before, movement), movement)
  return (
    (needsOnHand === true || (needsStock && !movement.location.allowBackorder)) &&
    left < 0 &&
    left < takeableOf(before, movement)
  )
}
