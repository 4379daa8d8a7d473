import type { SealedColumn } from '#platform/crypto/reseal.ts'
import type { Vault } from '#platform/crypto/vault.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Secrets } from './secrets.ts'
import type { SubscriptionSettings } from '../subscriber/subscription.ts'

/** Where subscriptions keep what is sealed. */
export const sealedSubscriptions: SealedColumn = { table: 'subscriptions', column: 'sealed' }

/**
 * What is encrypted as one text: anything of a subscription that could open a door elsewhere. The URL is whole, because
 * a path or a query is often the receiver's only credential.
 */
export interface Sealed extends Secrets, Pick<SubscriptionSettings, 'url' | 'headers' | 'auth' | 'extraConfig'> {}

export const seal = (
  vault: Vault,
  { url, headers, auth, extraConfig = {} }: Omit<Sealed, keyof Secrets>,
  secrets: Secrets,
): string => {
  const { signature, secret, privateKey, previous } = secrets
  const sealed: Sealed = { url, headers, auth, extraConfig, signature, secret, privateKey, previous }
  return vault.seal(JSON.stringify(sealed))
}

/** @throws when it was sealed with a SECRET_KEY that is not known. */
export const openSealed = (vault: Vault, sealed: string): Sealed => ({
  ...beforeSignatures,
  ...(JSON.parse(vault.open(sealed)) as Sealed),
})

/** What rows have to be read with that were written when there was one kind of signature and no rotation. */
const beforeSignatures = { signature: 'v1', privateKey: null, previous: [] } as const

/** The URLs of these subscriptions, ended ones included; without those that cannot be read with the keys there are. */
export const urlsOf = async (db: Db | Tx, vault: Vault, ids: readonly number[]): Promise<Map<number, string>> => {
  const rows = await db.selectFrom('subscriptions').select(['id', 'sealed']).where('id', 'in', ids).execute()
  return new Map(rows.flatMap(({ id, sealed }) => urlIn(vault, sealed).map((url) => [id, url] as const)))
}

const urlIn = (vault: Vault, sealed: string): string[] => {
  try {
    return [openSealed(vault, sealed).url]
  } catch {
    return []
  }
}
