import type { Logger } from 'pino'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { makeLoop, type Loop } from '#platform/loop.ts'
import type { Wake } from '../queue/wake.ts'
import { endOrder, resumeHeld } from './change-order.ts'
import { makeStartOrder } from './start-order.ts'

export interface OrderChangesDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
  readonly wake: (...woken: Parameters<Wake>) => void
  readonly everyMs: number
  /** Deliveries have become due that waited or were held. */
  readonly onDue: () => void
}

/** While attempts or transactions under way have to end before order begins. */
const startAgainMs = 250

/** Makes the steps of switching order on and off, and of resuming what was held, in turns. Kicked when somebody changed a subscription. */
export const makeOrderChanges = ({ db, clock, log, wake, everyMs, onDue }: OrderChangesDeps): Loop => {
  const startOrder = makeStartOrder(db)
  let isWaiting = false

  const run = async (signal: AbortSignal): Promise<void> => {
    let isDue = false
    for (let isMore = true; isMore && !signal.aborted;) {
      const now = clock.now()
      const steps = await startOrder(now)
      const begun = steps.flatMap(({ id, next }) => (next === 'begun' ? [id] : []))
      if (begun.length > 0) for (const lane of [0, 1] as const) wake(begun, lane)
      const isChanged = [await resumeHeld(db, now), await endOrder(db, now)].includes(true)
      isDue ||= isChanged
      isWaiting = steps.some(({ next }) => next === 'wait')
      isMore = isChanged || steps.some(({ next }) => next === 'step')
    }
    if (isDue) onDue()
  }
  const dueInMs = async () => (isWaiting ? startAgainMs : everyMs)
  return makeLoop({ name: 'changes of order', everyMs, log, run, dueInMs })
}
