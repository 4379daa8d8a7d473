import type { Logger } from 'pino'
import type { Vault } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/db/database.ts'
import { prepareReceiver, type Receiver } from './request-headers.ts'
import { openRow } from '../subscriptions/subscriptions.ts'

/** Subscriptions ready to send to: decrypted once for each version, not for each delivery. */
export interface Receivers {
  /** Loads what is missing or older than the version named. What cannot be decrypted stays missing, with a log line. */
  load(wanted: readonly { readonly subscriptionId: number; readonly version: number }[]): Promise<void>
  get(subscriptionId: number): Receiver | undefined
}

export interface ReceiversDeps {
  readonly db: Db
  readonly vault: Vault
  readonly log: Logger
}

const maxKept = 20_000

export const makeReceivers = ({ db, vault, log }: ReceiversDeps): Receivers => {
  const kept = new Map<number, Receiver>()
  return {
    async load(wanted) {
      const missing = wanted.filter(({ subscriptionId, version }) => kept.get(subscriptionId)?.version !== version)
      if (missing.length === 0) return
      if (kept.size > maxKept) kept.clear()
      const rows = await db
        .selectFrom('subscriptions')
        .select(['id', 'version', 'scope', 'dialect', 'sealed', 'retry', 'isActive', 'ratePerSecond', 'rateBurst'])
        .where('id', 'in', [...new Set(missing.map(({ subscriptionId }) => subscriptionId))])
        .execute()
      for (const row of rows) {
        const receiver = open(row)
        if (receiver === undefined) kept.delete(row.id)
        else kept.set(row.id, receiver)
      }
    },
    get: (id) => kept.get(id),
  }

  /** One that was sealed with another SECRET_KEY must not keep the others from being loaded. */
  function open(row: Parameters<typeof openRow>[1]): Receiver | undefined {
    try {
      return prepareReceiver(openRow(vault, row))
    } catch (error) {
      log.error({ err: error, subscription: row.id }, 'delivery.receiver_unreadable')
      return undefined
    }
  }
}
