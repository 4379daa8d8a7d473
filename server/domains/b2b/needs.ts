import { mayCall } from '#platform/auth/principal.ts'
import { hourMs } from '#platform/clock.ts'
import { maxCounted } from '#platform/lists/page.ts'
import { needOf, type FindNeeds } from '#platform/need.ts'
import { countFailing } from './orders/index.ts'
import { countExpiring, countQuotations, expiringStatuses } from './quotations/index.ts'

export type SellingNeed =
  | 'orders_failed'
  | 'orders_given_up'
  | 'quotations_pending'
  | 'quotations_draft'
  | 'quotations_expiring'

const soonMs = 48 * hourMs

/** What of quotations and their orders waits for the seller. */
export const findNeeds: FindNeeds<SellingNeed> = async (db, principal, now) => {
  if (!mayCall(principal, { role: 'staff', scope: 'quotations:read' })) return []
  const before = new Date(now.getTime() + soonMs)
  const [{ failed, givenUp }, pending, draft, expiring] = await Promise.all([
    countFailing(db),
    countQuotations(db, { status: ['pending'] }),
    countQuotations(db, { status: ['draft'] }),
    countExpiring(db, { now, before, limit: maxCounted + 1 }),
  ])
  // Who decides about quotations, as their actions say: superusers.
  const decides = mayCall(principal, { role: 'superuser', scope: 'quotations:read' })
  const ofExpiring = expiringStatuses.map((status) => `status=${status}`).join('&')
  return [
    needOf('orders_failed', '/orders?status=failed', failed),
    needOf('orders_given_up', '/orders?status=failed', givenUp),
    ...(decides
      ? [
          needOf('quotations_pending', '/quotations?status=pending', pending),
          needOf('quotations_draft', '/quotations?status=draft', draft),
        ]
      : []),
    needOf('quotations_expiring', `/quotations?${ofExpiring}`, expiring),
  ]
}
