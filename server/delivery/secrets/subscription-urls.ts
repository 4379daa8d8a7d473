import type { Vault } from '#platform/crypto/vault.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { openSealed } from './sealed.ts'

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
