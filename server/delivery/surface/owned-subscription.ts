import type { Principal } from '#platform/auth/principal.ts'
import type { Db } from '#platform/db/database.ts'

/** Whose subscriptions can be: a hook of the back office, the webhook of a project, or a flow. */
export const ownerKinds = ['hook', 'project_webhook', 'flow'] as const
export type OwnerKind = (typeof ownerKinds)[number]

interface Place {
  readonly id: string
  readonly name: string
}

/** A subscription as its owner's domain knows it. */
export interface OwnedSubscription {
  readonly subscriptionId: number
  readonly kind: OwnerKind
  /** The id that its own part of the API has for it. */
  readonly id: string
  /** null where this kind has none. */
  readonly name: string | null
  readonly organization: Place | null
  readonly project: Place | null
}

/** What of one kind a caller may see, without what was removed; nothing where their key is not for it. */
export type FindOwned = (db: Db, principal: Principal) => Promise<readonly OwnedSubscription[]>
