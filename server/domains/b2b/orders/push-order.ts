import type { Logger } from 'pino'
import type { Counter } from 'prom-client'
import type { Outbox } from '#delivery/outbox/outbox.ts'
import { minuteMs } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { nextAttempt, errorText, failureOf } from './failed-try.ts'
import type { OrderFailures } from '#failures/order-failures.ts'
import { keyOf, orderEvent, toPlatform, type Order } from './order.ts'
import type { CommercePlatform, Created, PlatformError } from './platform/commerce-platform.ts'
import type { PlatformPause } from './platform/platform-pause.ts'
import type { TellSeller } from './tell-seller.ts'
import { claimOrder, markCreated, markFailed } from './store.ts'

export interface PushDeps extends Pick<SliceDeps, 'db' | 'clock'> {
  readonly log: Logger
  readonly platform: CommercePlatform
  readonly pause: PlatformPause
  readonly outbox: Outbox
  readonly failures: OrderFailures
  readonly attempts: Counter<'outcome'>
  readonly failed: Counter<'reason'>
  readonly tellSeller: TellSeller
}

/** Longer than any try takes (an exchange has 25 s, names and connection included): whoever has not written by then has died. */
const tryMs = minuteMs

/**
 * Makes the function that pushes the order that is due longest, of a quotation or of all.
 *
 * Three steps, so that no transaction is open while the platform works: the order is taken, with a time by when it must be done;
 * the platform is asked, with the key of the order; what it answered is written. Whoever dies in between leaves an order that is
 * due again when that time is over. It is then sent with the same key, and what the platform answers counts, so there is never
 * a second order. An answer that arrives later than that counts too when it is a number; a failure does not.
 * @returns false when none is due, or none may be tried while the platform is away.
 */
export const makePushOrder =
  (deps: PushDeps) =>
  async (quotationId?: number): Promise<boolean> => {
    const tried = await tryNext(deps, quotationId)
    if (tried === undefined) return false
    const { order, created } = tried
    deps.attempts.inc({ outcome: 'number' in created ? 'created' : 'failed' })
    await ('number' in created ? succeed(deps, order, created.number) : fail(deps, order, created.error))
    return true
  }

const tryNext = async (deps: PushDeps, quotationId: number | undefined) => {
  if (!deps.pause.begin()) return undefined
  let created: Created | undefined
  try {
    const order = await take(deps, quotationId)
    if (order === undefined) return undefined
    created = await ask(deps, order)
    return { order, created }
  } finally {
    deps.pause.end(created)
  }
}

const take = ({ db, clock, outbox }: PushDeps, quotationId: number | undefined): Promise<Order | undefined> =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const claimed = await claimOrder(tx, quotationId, { now, until: new Date(now.getTime() + tryMs) })
    if (claimed?.hadFailed === true) await outbox.append(tx, [orderEvent(claimed.order)])
    return claimed?.order
  })

/** What the platform answers. A connector that breaks is an error like others, and in the log: the order must not be lost. */
const ask = async ({ platform, log }: PushDeps, order: Order): Promise<Created> => {
  try {
    return await platform.createOrder(toPlatform(order), keyOf(order))
  } catch (error) {
    log.error({ err: error, order: order.number }, 'orders.connector_failed')
    const detail = 'The connector of the platform broke; the log of the server has more.'
    return { error: { reason: 'connector_failed', detail, status: null, body: null } }
  }
}

// Both take the turn of the error reports before the order, as those who have an order tried again by its report do.

const succeed = ({ db, clock, outbox, failures }: PushDeps, { id }: Order, remoteNumber: string): Promise<void> =>
  inTransaction(db, async (tx) => {
    await failures.resolve(tx, id)
    const order = await markCreated(tx, id, remoteNumber, clock.now())
    if (order !== undefined) await outbox.append(tx, [orderEvent(order)])
  })

const fail = async (deps: PushDeps, tried: Order, error: PlatformError): Promise<void> => {
  const { db, clock, outbox, failures, platform } = deps
  try {
    const failed = await inTransaction(db, async (tx) => {
      const now = clock.now()
      await failures.report(tx, failureOf(tried, error, { at: now, key: platform.sentKey(keyOf(tried)) }))
      const text = errorText(error)
      const outcome = { error: text, nextAttemptAt: nextAttempt(tried.attempts, now) }
      const order = await markFailed(tx, tried, outcome, now)
      if (order === undefined) throw new Overtaken()
      await outbox.append(tx, [orderEvent(order)])
      await deps.tellSeller(tx, order, { isFirst: tried.error === null })
      return order
    })
    deps.failed.inc({ reason: error.reason })
    logFailure(deps.log, failed, error)
  } catch (problem) {
    if (!(problem instanceof Overtaken)) throw problem
    deps.log.warn({ order: tried.number, reason: error.reason }, 'orders.late_failure')
  }
}

/** Says which order failed and why, without anything of what was sent or answered. */
const logFailure = (log: Logger, order: Order, { reason, status }: PlatformError): void => {
  const { number, quotationNumber, division, attempts, nextAttemptAt } = order
  const said = { order: number, quotation: quotationNumber, division: division.id, reason, status, attempts }
  if (nextAttemptAt === null) log.error(said, 'orders.given_up')
  else log.warn({ ...said, nextAttemptAt }, 'orders.failed')
}

/** Somebody else has tried the order since, so this failure is of no interest: nothing of it is kept. */
class Overtaken extends Error {
  override readonly name = 'Overtaken'
}
