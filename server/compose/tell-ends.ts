import type { Logger } from 'pino'
import type { Ends } from '#delivery/ends/ends.ts'
import type { FailedDelivery } from '#delivery/ends/read-failures.ts'
import type { End } from '#delivery/ends/take-ends.ts'
import type { OwnFailure, OwnFailures } from '#domains/error-reports/index.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { FailedSubject } from './failed-subject.ts'
import { failureText } from './failure-text.ts'

export interface TellEndsDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
  readonly ends: Pick<Ends, 'take' | 'putOff' | 'readFailures'>
  /** Target URLs by subscription, without those that cannot be read. */
  readonly urlsOf: (tx: Tx, subscriptionIds: readonly number[]) => Promise<ReadonlyMap<number, string>>
  readonly subjectOf: (tx: Tx, delivery: FailedDelivery) => Promise<FailedSubject>
  readonly ownFailures: OwnFailures
}

/** Ends in one transaction. */
const mostAtOnce = 100
/**
 * Makes the function that tells ends, until none is left or it may not go on: failures become reports, successes resolve
 * them. Ends are taken and told in one transaction, so each is told exactly once, whatever dies.
 *
 * What cannot be told must not keep the others waiting. When a batch fails, its ends are told one by one, and the one that
 * fails again is put off. When none of them can be told it is not their fault, and the look ends. @throws what the
 * database does when it cannot even put one off.
 */
export const makeTellEnds = (deps: TellEndsDeps) => {
  const { db, clock, log, ends } = deps

  /** @returns whether there was anything to tell. */
  const tellSome = (limit: number, onTaken: (taken: readonly End[]) => void = () => undefined): Promise<boolean> =>
    inTransaction(db, async (tx) => {
      const taken = await ends.take(tx, limit, clock.now())
      onTaken(taken)
      await tellThese(deps, tx, taken)
      return taken.length > 0
    })

  /** @returns whether one was told; undefined when there is none. */
  const tellOne = async (): Promise<boolean | undefined> => {
    let deliveryId: number | undefined
    try {
      return (await tellSome(1, ([end]) => (deliveryId = end?.deliveryId))) || undefined
    } catch (error) {
      if (deliveryId === undefined) throw error
      const id = deliveryId
      const tried = await inTransaction(db, (tx) => ends.putOff(tx, id, clock.now()))
      log.error({ err: error, delivery: id, tried }, 'failures.end_not_told')
      return false
    }
  }

  /** Those of a batch that failed. @returns whether to go on: some could be told. */
  const tellApart = async (mayGoOn: () => boolean): Promise<boolean> => {
    let told = 0
    for (let count = 0; count < mostAtOnce && mayGoOn(); count++) {
      const outcome = await tellOne()
      if (outcome === undefined) return false
      told += Number(outcome)
    }
    return told > 0
  }

  return async (mayGoOn: () => boolean): Promise<void> => {
    let more = true
    while (more && mayGoOn()) {
      try {
        more = await tellSome(mostAtOnce)
      } catch (error) {
        log.warn({ err: error }, 'failures.batch_failed')
        more = await tellApart(mayGoOn)
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
