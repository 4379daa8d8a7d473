import type { Logger } from 'pino'
import type { Ends } from '#delivery/ends/ends.ts'
import type { FailedDelivery } from '#delivery/ends/read-failures.ts'
import type { End } from '#delivery/ends/take-ends.ts'
import type { OwnFailure, OwnFailures } from '#domains/error-reports/index.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { FailedSubject } from './failed-subject.ts'
import { failureText } from './failure-text.ts'

export interface TellEndsDeps {
  readonly db: Db
  readonly log: Logger
  readonly ends: Pick<Ends, 'take' | 'readFailures'>
  /** Target URLs by subscription, without those that cannot be read. */
  readonly urlsOf: (tx: Tx, subscriptionIds: readonly number[]) => Promise<ReadonlyMap<number, string>>
  readonly subjectOf: (tx: Tx, delivery: FailedDelivery) => Promise<FailedSubject>
  readonly ownFailures: OwnFailures
}

/** Ends in one transaction. */
const mostAtOnce = 100
/** An end that cannot be told is given up after so many tries, each at another look. */
const mostTries = 3

/**
 * Makes the function that tells ends, until none is left or it may not go on: failures become reports, successes resolve
 * them. Ends are taken and told in one transaction, so each is told exactly once, whatever dies.
 *
 * What cannot be told must not keep the others waiting for ever. When a batch fails, its ends are told one by one; the one
 * that fails again is tried at later looks, and then given up with an error in the log. @throws what the database does.
 */
export const makeTellEnds = (deps: TellEndsDeps) => {
  const { db, log, ends } = deps
  const tries = new Map<number, number>()

  /** @returns whether there was anything to tell. */
  const tellSome = (limit: number, onTaken: (taken: readonly End[]) => void = () => undefined): Promise<boolean> =>
    inTransaction(db, async (tx) => {
      const taken = await ends.take(tx, limit)
      onTaken(taken)
      await tellThese(deps, tx, taken)
      return taken.length > 0
    })

  /** Takes one away without telling it. Should somebody else have done so already, the next one is told as usual. */
  const giveUp = (deliveryId: number): Promise<void> =>
    inTransaction(db, async (tx) => {
      const taken = await ends.take(tx, 1)
      if (taken[0]?.deliveryId === deliveryId) log.error({ delivery: deliveryId }, 'failures.end_given_up')
      else await tellThese(deps, tx, taken)
    })

  /** @returns whether to go on with the next one. */
  const tellOne = async (): Promise<boolean> => {
    let deliveryId: number | undefined
    try {
      return await tellSome(1, ([end]) => (deliveryId = end?.deliveryId))
    } catch (error) {
      if (deliveryId === undefined) throw error
      const tried = 1 + (tries.get(deliveryId) ?? 0)
      log.error({ err: error, delivery: deliveryId, tried }, 'failures.end_not_told')
      tries.set(deliveryId, tried)
      if (tried < mostTries) return false
      tries.delete(deliveryId)
      await giveUp(deliveryId)
      return true
    }
  }

  return async (mayGoOn: () => boolean): Promise<void> => {
    let more = true
    while (more && mayGoOn()) {
      try {
        more = await tellSome(mostAtOnce)
      } catch (error) {
        log.warn({ err: error }, 'failures.batch_failed')
        for (let told = 0; told < mostAtOnce && more && mayGoOn(); told++) more = await tellOne()
      }
    }
  }
}

const tellThese = async (deps: TellEndsDeps, tx: Tx, taken: readonly End[]): Promise<void> => {
  const { delivered = [], failed = [] } = Object.groupBy(taken, ({ status }) => status)
  await deps.ownFailures.report(tx, await failuresOf(deps, tx, failed))
  await deps.ownFailures.resolve(
    tx,
    delivered.map(({ deliveryId }) => ({ source: 'delivery', actionObjectId: deliveryId })),
  )
}

/** What is not kept any more is left out: there is nothing to be said of it, or done about it. */
const failuresOf = async (
  { ends, urlsOf, subjectOf }: TellEndsDeps,
  tx: Tx,
  failed: readonly End[],
): Promise<OwnFailure[]> => {
  if (failed.length === 0) return []
  const known = await ends.readFailures(
    tx,
    failed.map(({ deliveryId }) => deliveryId),
  )
  if (known.length === 0) return []
  const urls = await urlsOf(tx, [...new Set(known.map(({ subscriptionId }) => subscriptionId))])
  const byId = new Map(known.map((delivery) => [delivery.id, delivery]))
  const failures: OwnFailure[] = []
  for (const { deliveryId, endedAt } of failed) {
    const delivery = byId.get(deliveryId)
    if (delivery === undefined) continue
    const { what, isConfidential, ...subject } = await subjectOf(tx, delivery)
    const text = failureText(delivery, { what, isConfidential }, urls.get(delivery.subscriptionId))
    failures.push({ source: 'delivery', actionObjectId: deliveryId, ...subject, ...text, at: endedAt })
  }
  return failures
}
