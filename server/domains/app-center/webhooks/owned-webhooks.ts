import type { FindOwned } from '#delivery/surface/owned-subscription.ts'
import { mayCall } from '#platform/auth/principal.ts'
import { listWebhooksOfMember } from './store.ts'

/** The webhooks of the projects whose member the caller is, as a list of every kind of subscription has them; superusers see all. */
export const findOwnedWebhooks: FindOwned = async (db, principal) => {
  // Every role of a member may list webhooks.
  if (!mayCall(principal, { role: 'user', scope: 'projects:read' })) return []
  const webhooks = await listWebhooksOfMember(db, principal.isSuperuser ? 'anyone' : principal.userId)
  return webhooks.map((webhook) => ({ ...webhook, kind: 'project_webhook' }))
}
