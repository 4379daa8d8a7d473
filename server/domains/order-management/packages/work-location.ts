import type { Tx } from '#platform/db/database.ts'
import { invalidField } from '#platform/errors.ts'
import { holdLocation, type StockLocation } from '../stock-locations/index.ts'

/** The location that a request wants to send work to, held as it is until the transaction ends. @throws AppError 400 when it is unknown or inactive. */
export const holdWorkLocation = async (tx: Tx, id: number): Promise<StockLocation> => {
  const location = await holdLocation(tx, id)
  if (location === undefined) throw invalidField('stock_location', 'There is no stock location with this id.')
  if (!location.isActive) throw invalidField('stock_location', `Stock location ${location.code} is not active.`)
  return location
}
