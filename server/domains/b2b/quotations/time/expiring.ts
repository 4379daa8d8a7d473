import { decide } from '../rules/permitted-actions.ts'
import type { Quotation } from '../quotation.ts'
import { quotationStatuses } from '../rules/transitions.ts'

const time = { surface: 'admin', actors: ['time'] } as const

/** Statuses in which time runs, by the table. */
export const expiringStatuses = quotationStatuses.filter(
  (status) => 'to' in decide('expire', time, { status, isRejectedByMain: false, hasNewExpiry: false }),
)

/** Whether a quotation has to expire. */
export const isDue = ({ status, expiresAt }: Pick<Quotation, 'status' | 'expiresAt'>, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now && expiringStatuses.includes(status)
