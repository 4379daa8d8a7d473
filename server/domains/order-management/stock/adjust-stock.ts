import type { Clock } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { invalidField, orNotFound, ruleBroken } from '#platform/errors.ts'
import { holdLocation } from '../stock-locations/index.ts'
import type { Balance } from './movements.ts'
import { moveStock, type Shortage } from './store.ts'

interface Adjustment {
  readonly locationId: number
  readonly sku: string
  /** Signed pieces. */
  readonly quantity: number
  readonly reason: string
  readonly actorId: number
}

/**
 * Books what an operator counted, received or lost.
 * @returns the balance after it.
 * @throws AppError 404 for the location; 400 when stock would be added to an inactive one, or more taken than is available.
 */
export const adjustStock = async (tx: Tx, clock: Clock, adjustment: Adjustment): Promise<Balance> => {
  const { locationId, sku, quantity, reason, actorId } = adjustment
  if (quantity === 0) throw invalidField('quantity', 'The quantity may not be 0.')
  const location = orNotFound(await holdLocation(tx, locationId))
  if (quantity > 0 && !location.isActive) {
    throw ruleBroken('location_inactive', `Stock location ${location.code} is not active; nothing can be added to it.`)
  }
  const moved = await moveStock(tx, [{ location, sku, kind: 'adjust', quantity }], {
    cause: reason,
    actorId,
    at: clock.now(),
  })
  if (!moved.ok) throw insufficientStock(location.code, moved.shortages)
  const [balance] = moved.balances
  if (balance === undefined) throw new Error('A movement has a balance.')
  return balance
}

/** 400 that says what is missing, and what can be done instead. */
export const insufficientStock = (
  locationCode: string,
  shortages: readonly Shortage[],
  allowedActions: readonly string[] = [],
) => {
  const list = shortages
    .map(({ sku, wanted, available }) => `${sku} (${wanted} wanted, ${available} available)`)
    .join(', ')
  return ruleBroken(
    'insufficient_stock',
    `Stock location ${locationCode} does not have enough of ${list}.`,
    allowedActions,
  )
}
