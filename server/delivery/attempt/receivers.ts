import type { Logger } from 'pino'
import type { Vault } from '#platform/crypto/vault.ts'
import type { Db } from '#platform/db/database.ts'
import { prepareReceiver, type Receiver } from './request-headers.ts'
import type { Claimed } from '../queue/claim.ts'
import { openColumns, openRow } from '../subscriptions/subscriptions.ts'

const maxKept = 20_000

/** Subscriptions ready to send to: decrypted once for each version, not for each delivery. */
export const makeReceivers = ({ db, vault, log }: { db: Db; vault: Vault; log: Logger }) => {
  const kept = new Map<number, Receiver>()
  return {
    /** Loads what is missing or of another version. What cannot be decrypted stays missing, with a log line. */
    async load(wanted: readonly Pick<Claimed, 'subscriptionId' | 'version'>[]): Promise<void> {
      const missing = wanted.filter(({ subscriptionId, version }) => kept.get(subscriptionId)?.version !== version)
      if (missing.length === 0) return
      if (kept.size > maxKept) kept.clear()
      const rows = await db
        .selectFrom('subscriptions')
        .select(openColumns)
        .where('id', 'in', [...new Set(missing.map(({ subscriptionId }) => subscriptionId))])
        .execute()
      for (const row of rows) {
        const receiver = open(row)
        if (receiver === undefined) kept.delete(row.id)
        else kept.set(row.id, receiver)
      }
    },
    get: (id: number) => kept.get(id),
  }

  /** A receiver that was sealed with another SECRET_KEY must not keep the others from being loaded. */
  function open(row: Parameters<typeof openRow>[1]): Receiver | undefined {
    try {
      return prepareReceiver(openRow(vault, row))
    } catch (error) {
      log.error({ err: error, subscriptionId: row.id }, 'delivery.receiver_unreadable')
      return undefined
    }
  }
}

export type Receivers = ReturnType<typeof makeReceivers>
