import type { Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { recordAudit } from '../history/audit-store.ts'
import { moveCounts } from '../lists/count-store.ts'
import type { QuotationDeps } from '../dependencies.ts'
import { expireLocked, isAnyDue, lockDue, type Due } from './expiry-store.ts'
import { statusEvent, toData } from '../quotation.ts'
import { noticesOf } from '../mail/notice.ts'

export interface Expiry {
  /** Expires all that is due, of these quotations or of all, and waits for other transactions that do so. */
  readonly expireDue: (ids?: readonly number[]) => Promise<void>
  /** Expires some of what is due and nobody else holds. @returns how many. */
  readonly expireSome: () => Promise<number>
}

/** Most of one transaction, which holds them all. */
const maxAtOnce = 500

/** Expires due quotations in transactions of their own, before reads and changes and by the sweeper. */
export const makeExpiry = (deps: ExpiryDeps): Expiry => {
  const { db, clock } = deps
  const dueOf = (ids?: readonly number[]) => ({ ids, now: clock.now(), limit: maxAtOnce })
  const expire = (due: Due): Promise<number> => inTransaction(db, (tx) => expireSomeOf(deps, tx, due))
  return {
    async expireDue(ids) {
      const due = { ...dueOf(ids), waits: true }
      // Nearly always nothing is, and then nothing has to be locked.
      if (!(await isAnyDue(db, due))) return
      while ((await expire(due)) === maxAtOnce) continue
    },
    async expireSome() {
      const due = { ...dueOf(), waits: false }
      return (await isAnyDue(db, due)) ? expire(due) : 0
    },
  }
}

type ExpiryDeps = Pick<QuotationDeps, 'db' | 'clock' | 'outbox' | 'notify'>

const expireSomeOf = async ({ outbox, notify }: ExpiryDeps, tx: Tx, due: Due): Promise<number> => {
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
  await notify(
    tx,
    expired.flatMap((quotation) => noticesOf({ from: before.get(quotation.id), quotation, doer: null })),
  )
  return expired.length
}
