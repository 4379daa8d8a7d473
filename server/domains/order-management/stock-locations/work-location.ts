import type { Tx } from '#platform/db/database.ts'
import { invalidField } from '#platform/errors.ts'
import type { StockLocation } from './stock-location.ts'
import { holdLocation } from './store.ts'

/**
 * The location that a request wants to send work to, held as it is until the transaction ends. `field` is where the
 * request names it. @throws AppError 400 when it is unknown or inactive.
 */
export const holdWorkLocation = async (tx: Tx, id: number, field: string): Promise<StockLocation> => {
  const location = await holdLocation(tx, id)
  if (location === undefined) throw invalidField(field, 'There is no stock location with this id.')
  if (!location.isActive) throw invalidField(field, `Stock location ${location.code} is not active.`)
  return location
}
