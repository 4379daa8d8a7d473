import type { ShippedPackages } from '../shipments/index.ts'
import { toData } from './package.ts'
import { lockPackage, readPackage } from './store.ts'
import { canTakeShipment } from './lifecycle.ts'

/** Packages as their shipments need them. */
export const shippedPackages: ShippedPackages = {
  async lock(tx, id) {
    const parcel = await lockPackage(tx, id)
    return parcel && { status: parcel.status, takesShipment: canTakeShipment(parcel.status) }
  },
  describe: async (tx, id) => toData(await readPackage(tx, id)),
}
