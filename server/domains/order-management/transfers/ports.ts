import type { ShippedTransfers } from '../shipments/index.ts'
import { lockTransfer } from './store.ts'

/** Transfers as their shipments need them. */
export const shippedTransfers: ShippedTransfers = { lock: lockTransfer }
