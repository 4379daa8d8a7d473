import { useQuery } from '@tanstack/react-query'
import { recordOf } from '#api/queries.ts'
import { isBackOffice, useMe } from '#api/session.ts'
import type { Schema } from '#api/types.ts'

/** What needs somebody; Home and the rail ask it together. */
export const overview = recordOf('/api/v1/overview')

/** Which needs stand as a count beside which item; those that count the same things twice are left out. */
const itemOf: Partial<Record<Schema<'Need'>['kind'], string>> = {
  hooks_failing: '/subscriptions',
  hooks_switched_off: '/subscriptions',
  webhooks_failing: '/subscriptions',
  webhooks_switched_off: '/subscriptions',
  flows_failing: '/subscriptions',
  flows_switched_off: '/subscriptions',
  error_groups_open: '/error_reports',
  orders_failed: '/orders',
  orders_given_up: '/orders',
  quotations_pending: '/quotations',
}

/** How many things wait for somebody, by item of the rail. */
export const useRailCounts = (): ReadonlyMap<string, number> => {
  const { data } = useQuery({ ...overview, enabled: isBackOffice(useMe()) })
  const counts = new Map<string, number>()
  for (const { kind, count } of data?.needs_you ?? []) {
    const item = itemOf[kind]
    if (item !== undefined && count > 0) counts.set(item, (counts.get(item) ?? 0) + count)
  }
  return counts
}
