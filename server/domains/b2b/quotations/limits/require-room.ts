import type { Tx } from '#platform/db/database.ts'
import { ruleBroken } from '#platform/errors.ts'
import { conditions } from '../rules/conditions.ts'
import { lockDue } from '../time/expiry-store.ts'
import { lockLimits } from './limit-store.ts'
import { findExceeded, type Addition } from './monthly-limit.ts'

/** Most quotations that are due and not expired yet that are left out at a time; those beyond them still count. */
const maxDue = 500

interface Asking {
  readonly now: Date
  /** What may be done instead. */
  readonly allowed?: readonly string[]
}

/**
 * Refuses what would bring a month over a limit. Each limit above the division is held until the transaction ends, so that of
 * two additions at once the second sees the first: whatever adds to a month comes here, after it holds the quotation's row.
 * What is due still counts unless it can be held: whoever holds it may be approving it in this moment.
 * @throws AppError 400.
 */
export const requireRoom = async (tx: Tx, addition: Addition, { now, allowed = [] }: Asking): Promise<void> => {
  if (addition.netAmount === 0n || !(await lockLimits(tx, addition.divisionId))) return
  if ((await findExceeded(tx, addition, {})).length === 0) return
  const due = await lockDue(tx, { ids: undefined, now, limit: maxDue, waits: false })
  const exceeded = await findExceeded(tx, addition, { except: due.map(({ id }) => id) })
  if (exceeded.length === 0) return
  const says = conditions.monthly_limit_exceeded.says.replace(/\.$/, '')
  throw ruleBroken('monthly_limit_exceeded', `${says}: ${exceeded.join(', ')}.`, allowed)
}
