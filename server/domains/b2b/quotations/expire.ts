import type { Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { recordAudit } from './audit-store.ts'
import { moveCounts } from './count-store.ts'
import type { QuotationDeps } from './dependencies.ts'
import { expiringStatuses } from './expiring.ts'
import { expireLocked, isAnyDue, lockDue } from './expiry-store.ts'
import { statusEvent, toData } from './quotation.ts'
import { turnOf } from './turns/turn.ts'

export interface Expiry {
  /** Expires what is due of these quotations, or of all, at most `most` of them. @returns how many. */
  readonly expireDue: (ids?: readonly number[], most?: number) => Promise<number>
}

/** Most at once: the transaction holds them all. */
const mostAtOnce = 500

/**
 * Lets time pass: what is due expires, in a transaction of its own, before anybody reads it or does something with it, and by
 * the sweeper. A closed status is never overwritten.
 */
export const makeExpiry = ({
  db,
  clock,
  outbox,
  tellTurns,
}: Pick<QuotationDeps, 'db' | 'clock' | 'outbox' | 'tellTurns'>): Expiry => ({
  async expireDue(ids, most = mostAtOnce) {
    const due = { ids, now: clock.now(), statuses: expiringStatuses, most: Math.min(most, mostAtOnce) }
    // Nearly always nothing is, and then nothing has to be locked.
    if (!(await isAnyDue(db, due))) return 0
    return inTransaction(db, async (tx: Tx) => {
      const locked = await lockDue(tx, due)
      const expired = await expireLocked(tx, locked, due.now)
      await moveCounts(
        tx,
        locked.map((from) => ({ from, to: 'expired' as const })),
      )
      const before = new Map(locked.map(({ id, status }) => [id, status]))
      await recordAudit(
        tx,
        expired.map((quotation) => ({
          quotationId: quotation.id,
          action: 'expire' as const,
          userId: null,
          actor: 'time' as const,
          surface: 'admin' as const,
          requestId: null,
          before: { status: before.get(quotation.id) },
          after: { status: toData(quotation).status },
          createdAt: due.now,
        })),
      )
      await outbox.append(tx, expired.map(statusEvent))
      await tellTurns(
        tx,
        expired.flatMap((quotation) => turnOf({ from: before.get(quotation.id), quotation, doer: null })),
      )
      return expired.length
    })
  },
})
