import type { Tx } from '#platform/db/database.ts'
import { invalidField, orNotFound } from '#platform/errors.ts'
import { realChanges } from '#platform/sent-fields.ts'
import type { Dependencies } from '../dependencies.ts'
import { insertLocation, lockLocation, updateLocation } from './store.ts'
import { toWire, type LocationFields, type StockLocation } from './stock-location.ts'

const codeTaken = () => invalidField('code', 'Another stock location has this code.')

/** The two changes a location can go through, each with its event in the same transaction. */
export const makeLocationChanges = ({ clock, outbox }: Pick<Dependencies, 'clock' | 'outbox'>) => {
  const raise = (tx: Tx, type: 'stock_location.created' | 'stock_location.updated', location: StockLocation) =>
    outbox.append(tx, [
      { type, data: toWire(location), scope: 'back-office', object: { type: 'stocklocation', id: location.id } },
    ])

  return {
    /** @throws AppError 400 when the code is taken. */
    async create(tx: Tx, fields: LocationFields): Promise<StockLocation> {
      const location = await insertLocation(tx, fields, clock.now())
      if (location === undefined) throw codeTaken()
      await raise(tx, 'stock_location.created', location)
      return location
    },

    /**
     * Sets some fields. Where none really changes, nothing is written and nothing raised. A location with open work can be
     * deactivated (fulfilment: "Deactivated, not deleted, while stock or open work is there").
     * @throws AppError 404; 400 when the code is taken.
     */
    async update(tx: Tx, id: number, changes: Partial<LocationFields>): Promise<StockLocation> {
      const location = orNotFound(await lockLocation(tx, id))
      const real = realChanges<LocationFields>(location, changes)
      if (Object.keys(real).length === 0) return location
      const updated = await updateLocation(tx, id, real, clock.now())
      if (updated === 'taken') throw codeTaken()
      await raise(tx, 'stock_location.updated', updated)
      return updated
    },
  }
}
