import type { FindOwned } from '#delivery/surface/owned-subscription.ts'
import { mayCall } from '#platform/auth/principal.ts'
import { listOutboundFlows } from './store.ts'

/** Flows through which something is sent, as a list of every kind of subscription has them. There is no scope for them. */
export const findOwnedFlows: FindOwned = async (db, principal) => {
  if (!mayCall(principal, { role: 'staff' })) return []
  const flows = await listOutboundFlows(db)
  return flows.map(({ subscriptionId, id, name }) => ({
    subscriptionId,
    kind: 'flow',
    id: String(id),
    name,
    organization: null,
    project: null,
  }))
}
