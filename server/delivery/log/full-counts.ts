import { sql } from 'kysely'
import { dayMs, type Clock } from '#platform/clock.ts'
import type { ReadableList } from '#platform/lists/define-list.ts'
import { maxCounted, type Rows } from '#platform/lists/page.ts'
import { timeOfId } from '../tables/time-id.ts'
import type { DeliveryFilter } from './delivery-filter.ts'

/** The shortest retention is a day: nothing younger than this is removed. */
const keptMs = dayMs / 2
const maxRemembered = 100

/**
 * Remembers which filters leave more deliveries than a list counts, so that not every page counts 10,000 of them again. That
 * holds as long as retention removes none of the counted ones, if the filter is by what never changes.
 */
export const makeFullCounts = ({ clock }: { readonly clock: Clock }) => {
  const until = new Map<string, number>()
  return {
    /** The list, which does not count what is known to be more. */
    of: (list: ReadableList, filter: DeliveryFilter): ReadableList =>
      (until.get(nameOf(filter)) ?? 0) > clock.now().getTime()
        ? { ...list, known: () => sql<number>`${sql.lit(maxCounted + 1)}` }
        : list,

    note(filter: DeliveryFilter, { bounded }: Omit<Rows<unknown>, 'rows'>): void {
      const first = bounded?.isMore === true ? bounded.firstKey : undefined
      if (typeof first !== 'number' || canChange(filter)) return
      if (until.size >= maxRemembered) until.clear()
      until.set(nameOf(filter), timeOfId(first).getTime() + keptMs)
    },
  }
}

const nameOf = (filter: DeliveryFilter): string => JSON.stringify(filter)

/** Whether a delivery can cease to match. */
const canChange = ({ statuses, pendingTried, delivered, isWaiting, lastStatus, lastReason }: DeliveryFilter): boolean =>
  [statuses, pendingTried, delivered, isWaiting, lastStatus, lastReason].some((limit) => limit !== undefined)
