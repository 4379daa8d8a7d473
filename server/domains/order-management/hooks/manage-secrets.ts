import type { SecretState } from '#delivery/secrets/subscription-secrets.ts'
import type { Subscriptions } from '#delivery/subscriptions/subscriptions.ts'
import type { Principal } from '#platform/auth/principal.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { invalidField, notFound } from '#platform/errors.ts'
import { findHook, lockHook, touchHook } from './hooks-store.ts'
import { visibleTo } from './manage-hooks.ts'

export interface ManageSecretsDeps {
  readonly clock: Clock
  readonly subscriptions: Subscriptions
}

/** A change of what signs a hook's deliveries; a secret is made when none is named. */
export interface SecretChange {
  readonly secret: string | undefined
  readonly overlapMs: number
}

/** What signs the deliveries of a hook. To whom a hook does not belong, it does not exist: 404. */
export const makeManageSecrets = ({ clock, subscriptions }: ManageSecretsDeps) => ({
  async find(db: Db, who: Principal, id: number): Promise<SecretState> {
    const hook = await findHook(db, visibleTo(who), id)
    return existing(hook && (await subscriptions.findSecrets(db, id)))
  },

  /** @returns the new secret among the rest, to be shown once. @throws AppError 400 for a secret that cannot be the new one. */
  async rotate(tx: Tx, who: Principal, id: number, { secret, overlapMs }: SecretChange): Promise<SecretState> {
    const hook = await lockHook(tx, visibleTo(who), id)
    const before = existing(hook && (await subscriptions.findSecrets(tx, id)))
    if (secret !== undefined && before.signature === 'v1a') throw keyPairIsMadeHere()
    if (secret !== undefined && before.secret === secret) throw alreadyInUse()
    await touchHook(tx, id, clock.now())
    return existing(await subscriptions.rotateSecret(tx, id, { secret, overlapMs, now: clock.now() }))
  },

  async revokePrevious(tx: Tx, who: Principal, id: number): Promise<void> {
    const hook = await lockHook(tx, visibleTo(who), id)
    existing(hook && (await subscriptions.revokePreviousSecrets(tx, id)))
  },
})

export type ManageSecrets = ReturnType<typeof makeManageSecrets>

const existing = (state: SecretState | undefined): SecretState => {
  if (state === undefined) throw notFound()
  return state
}

const keyPairIsMadeHere = () =>
  invalidField('secret_key', 'This hook signs with a key pair (signature v1a), which is made here; send no secret_key.')

const alreadyInUse = () => invalidField('secret_key', 'The hook signs with this secret already; send another, or none.')
