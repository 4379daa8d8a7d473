import { sql } from 'kysely'
import type { Vault } from '#platform/crypto/vault.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { openSealed, seal, type Sealed } from './sealed.ts'
import { publicKeyOf, rotatedSecrets, type Rotation, type Secrets } from './secrets.ts'
import type { SignatureVersion } from '../subscriber/subscription.ts'

/** What signs a subscription's deliveries, without the keys that nobody may see. */
export interface SecretState {
  readonly signature: SignatureVersion
  readonly secret: string | null
  /** `whpk_…` for v1a, else null. */
  readonly publicKey: string | null
  /** When each of the old ones ends that were replaced, the newest first; it may have ended already. */
  readonly previousUntil: readonly Date[]
}

/** Changes of what signs a subscription's deliveries. Each counts as a new version, so every worker signs with it from its next claim on. */
export const makeSubscriptionSecrets = (vault: Vault) => {
  const change = async (tx: Tx, id: number, next: (stored: Secrets) => Secrets): Promise<SecretState | undefined> => {
    const stored = await lockSealed(tx, vault, id)
    if (stored === undefined) return undefined
    const secrets = next(stored)
    if (secrets !== stored) {
      await tx
        .updateTable('subscriptions')
        .set({ sealed: seal(vault, stored, secrets), modifiedAt: new Date(), version: sql`version + 1` })
        .where('id', '=', id)
        .execute()
    }
    return stateOf(secrets)
  }

  return {
    /** Puts a new secret, or for v1a a new key pair, in place of the one that signs. @returns undefined when there is no such subscription. */
    rotateSecret: (tx: Tx, id: number, rotation: Rotation): Promise<SecretState | undefined> =>
      change(tx, id, (stored) => rotatedSecrets(stored, rotation)),

    /** Old secrets sign no more from the next claim on. @returns undefined when there is no such subscription. */
    revokePreviousSecrets: (tx: Tx, id: number): Promise<SecretState | undefined> =>
      change(tx, id, (stored) => (stored.previous.length === 0 ? stored : { ...stored, previous: [] })),

    async findSecrets(db: Db | Tx, id: number): Promise<SecretState | undefined> {
      const row = await liveSealed(db, id).executeTakeFirst()
      return row === undefined ? undefined : stateOf(openSealed(vault, row.sealed))
    },
  }
}

/** What is sealed of a subscription, which nobody else changes until the transaction ends; undefined when there is none. */
export const lockSealed = async (tx: Tx, vault: Vault, id: number): Promise<Sealed | undefined> => {
  const row = await liveSealed(tx, id).forUpdate().executeTakeFirst()
  return row === undefined ? undefined : openSealed(vault, row.sealed)
}

const liveSealed = (db: Db | Tx, id: number) =>
  db.selectFrom('subscriptions').select('sealed').where('id', '=', id).where('deletedAt', 'is', null)

const stateOf = ({ signature, secret, privateKey, previous }: Secrets): SecretState => ({
  signature,
  secret,
  publicKey: privateKey === null ? null : publicKeyOf(privateKey),
  previousUntil: previous.map(({ untilMs }) => new Date(untilMs)),
})
