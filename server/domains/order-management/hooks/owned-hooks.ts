import type { FindOwned } from '#delivery/surface/owned-subscription.ts'
import { mayCall } from '#platform/auth/principal.ts'
import { visibleTo } from './hook-surface.ts'
import { liveHookIdsOf } from './hooks-store.ts'

/** The hooks that the caller may see, as a list of every kind of subscription has them. */
export const findOwnedHooks: FindOwned = async (db, principal) => {
  if (!mayCall(principal, { role: 'staff', scope: 'hooks:read' })) return []
  const ids = await liveHookIdsOf(db, visibleTo(principal))
  return ids.map((id) => ({
    subscriptionId: id,
    kind: 'hook',
    id: String(id),
    name: null,
    organization: null,
    project: null,
  }))
}
