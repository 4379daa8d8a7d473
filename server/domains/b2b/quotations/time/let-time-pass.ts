import { hourMs } from '#platform/clock.ts'
import type { Logger } from 'pino'
import { makeLoop } from '#platform/loop.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Service } from '#platform/supervisor.ts'
import type { QuotationDeps } from '../dependencies.ts'
import { makeExpiry } from './expire.ts'
import { about, toData } from '../quotation.ts'
import { removeGone } from '../viewers/viewer-store.ts'
import { noteWarned, type Warned } from './expiry-store.ts'

const everyMs = 60_000

/** How long before a quotation expires somebody is warned, in milliseconds. */
const warnings: readonly (readonly [context: Warned, aheadMs: number])[] = [
  ['seller', 48 * hourMs],
  ['owner', 24 * hourMs],
]
/** Quotations of one transaction. */
const maxAtOnce = 500

export interface TimeDeps extends Pick<QuotationDeps, 'db' | 'clock' | 'outbox' | 'notify'> {
  readonly log: Logger
}

/** Lets time pass for all quotations, every minute; for processes that work, of which several do no harm. */
export const makeExpiryService = (deps: TimeDeps): Service =>
  makeLoop({ name: 'quotation-expiry', everyMs, log: deps.log, run: makeLetTimePass(deps) })

/** Makes the function that expires due quotations, warns of those that expire soon, and forgets who looked at one. */
export const makeLetTimePass = (deps: Omit<TimeDeps, 'log'>): ((signal: AbortSignal) => Promise<void>) => {
  const { expireSome } = makeExpiry(deps)
  return async (signal) => {
    while (!signal.aborted && (await expireSome()) > 0) continue
    for (const warning of warnings) while (!signal.aborted && (await warn(deps, warning)) > 0) continue
    if (!signal.aborted) await removeGone(deps.db, deps.clock.now())
  }
}

/** @returns of how many it warned. */
const warn = (
  { db, clock, outbox, notify }: Omit<TimeDeps, 'log'>,
  [recipient, aheadMs]: (typeof warnings)[number],
): Promise<number> =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const before = new Date(now.getTime() + aheadMs)
    const warned = await noteWarned(tx, recipient, { now, before, limit: maxAtOnce })
    await outbox.append(
      tx,
      warned.map((quotation) => ({
        type: 'quotation.expiring',
        data: { ...toData(quotation), recipient },
        ...about(quotation.id),
      })),
    )
    await notify(
      tx,
      warned.map((quotation) => ({ occasion: `expiring_${recipient}` as const, quotation, doer: null })),
    )
    return warned.length
  })
