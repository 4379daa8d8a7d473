import type { Vault } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/db/database.ts'
import { prepareReceiver, type Receiver } from './request-headers.ts'
import { openRow } from './subscriptions.ts'

/** Subscriptions ready to send to: decrypted once for each version, not for each delivery. */
export interface Receivers {
  /** Loads what is missing or older than the version named. */
  load(wanted: readonly { readonly subscriptionId: number; readonly version: number }[]): Promise<void>
  get(subscriptionId: number): Receiver | undefined
}

const mostKept = 20_000

export const makeReceivers = (db: Db, vault: Vault): Receivers => {
  const kept = new Map<number, Receiver>()
  return {
    async load(wanted) {
      const missing = wanted.filter(({ subscriptionId, version }) => kept.get(subscriptionId)?.version !== version)
      if (missing.length === 0) return
      if (kept.size > mostKept) kept.clear()
      const rows = await db
        .selectFrom('subscriptions')
        .select(['id', 'version', 'scope', 'dialect', 'url', 'sealed', 'retry', 'isActive'])
        .where('id', 'in', [...new Set(missing.map(({ subscriptionId }) => subscriptionId))])
        .execute()
      for (const row of rows) kept.set(row.id, prepareReceiver(openRow(vault, row)))
    },
    get: (id) => kept.get(id),
  }
}
