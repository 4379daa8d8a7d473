import type { Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { recordAudit } from '../history/audit-store.ts'
import type { QuotationDeps } from '../dependencies.ts'
import { expireLocked, isAnyDue, lockDue, type Due } from './expiry-store.ts'
import { statusEvent } from '../quotation.ts'
import { noticesOf } from '../mail/notice.ts'

/** Most of one transaction, which holds them all. */
const maxAtOnce = 500

/** Expires due quotations in transactions of their own, before reads and changes and by the sweeper. */
export const makeExpiry = (deps: ExpiryDeps) => {
  const { db, clock } = deps
  const dueOf = (ids?: readonly number[]) => ({ ids, now: clock.now(), limit: maxAtOnce })
  const expire = (due: Due): Promise<number> => inTransaction(db, (tx) => expireSomeOf(deps, tx, due))
  return {
    /** Expires all that is due, of these quotations or of all, and waits for other transactions that do so. @returns whether any was. */
    async expireDue(ids?: readonly number[]): Promise<boolean> {
      const due = { ...dueOf(ids), waits: true }
      // Nearly always nothing is, and then nothing has to be locked.
      if (!(await isAnyDue(db, due))) return false
      while ((await expire(due)) === maxAtOnce) continue
      return true
    },
    /** Expires some of what is due and nobody else holds. @returns how many. */
    async expireSome(): Promise<number> {
      const due = { ...dueOf(), waits: false }
      return (await isAnyDue(db, due)) ? expire(due) : 0
    },
  }
}

type ExpiryDeps = Pick<QuotationDeps, 'db' | 'clock' | 'outbox' | 'notify'>

const expireSomeOf = async ({ outbox, notify }: ExpiryDeps, tx: Tx, due: Due): Promise<number> => {
  const locked = await lockDue(tx, due)
  const expired = await expireLocked(tx, locked, due.now)
  const before = new Map(locked.map(({ id, status }) => [id, status]))
  const how = { action: 'expire', userId: null, actor: 'time', surface: 'admin', requestId: null } as const
  const entries = expired.map(({ id, status }) => ({
    ...how,
    quotationId: id,
    createdAt: due.now,
    before: { status: before.get(id) },
    after: { status },
  }))
  await recordAudit(tx, entries)
  await outbox.append(tx, expired.map(statusEvent))
  const notices = expired.flatMap((quotation) => noticesOf({ from: before.get(quotation.id), quotation, doer: null }))
  await notify(tx, notices)
  return expired.length
}
