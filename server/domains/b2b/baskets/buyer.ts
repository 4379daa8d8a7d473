import type { Principal } from '#platform/auth/principal.ts'
import { forbidden } from '#platform/errors.ts'
import type { PricedFor } from '../prices/index.ts'

/** Who orders, and at which prices. */
export interface Buyer extends PricedFor {
  readonly userId: number
  readonly divisionId: number
}

/** @throws AppError 403: who belongs to no division has nothing to order for. */
export const buyerOf = ({ userId, divisionId }: Principal): Omit<Buyer, 'at'> => {
  if (divisionId === null) throw forbidden('You belong to no division, so there is nothing that you could order for.')
  return { userId, divisionId }
}
