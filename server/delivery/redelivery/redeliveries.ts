import type { Logger } from 'pino'
import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { afterCommit } from '#platform/db/transaction.ts'
import {
  countRetry,
  insertRecovery,
  insertRetry,
  recoveryRefusal,
  retriedBy,
  type RecoveryRequest,
  type Refusal,
  type RetryRequest,
} from './redelivery-requests.ts'
import { previewRecovery, previewRetry } from './preview.ts'
import { makeRedeliveryRunner } from './redelivery-runner.ts'
import { dropDelivery } from './drop-delivery.ts'
import { cancelRedeliveriesOf, cancelRedelivery } from './redelivery-store.ts'
import { replayEvent } from './replay-event.ts'
import { findReceivers, retryDeliveries, type RetryOptions, type RetryOutcome } from './retry-delivery.ts'
import type { Wake } from '../queue/wake.ts'

export interface RedeliveriesDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
  readonly wake: (...woken: Parameters<Wake>) => void
  /** Longest time between an event's id and its commit that a recovery reckons with. */
  readonly settleMs?: number
}

const defaultSettleMs = 5_000

/** Puts deliveries back in the queue: one event again, or many by a job that goes on where it stopped. */
export const makeRedeliveries = ({ settleMs = defaultSettleMs, ...deps }: RedeliveriesDeps) => {
  /** Makes the jobs' steps, in processes that deliver. */
  const runner = makeRedeliveryRunner({ ...deps, settleMs })
  const kicked = <T>(tx: Tx, started: T): T => {
    afterCommit(tx, () => runner.kick())
    return started
  }
  const woken = (tx: Tx, queued: readonly number[]): void => {
    if (queued.length > 0) afterCommit(tx, () => deps.wake(queued, 1))
  }

  /**
   * Starts a job that brings a subscription every event of its kinds since a time that did not reach it. It works while
   * the subscription is active. @returns its id; undefined when nothing is to be queued.
   */
  const startRecovery = async (tx: Tx, request: RecoveryRequest, now: Date): Promise<number | undefined> =>
    kicked(tx, await insertRecovery(tx, request, { now, settleMs }))

  /** Puts deliveries back in the queue, see retry-delivery.ts. @returns the outcome of each, in their order. */
  const retryMany = async (tx: Tx, ids: readonly number[], options: RetryOptions, now: Date) => {
    const { outcomes, queuedFor } = await retryDeliveries(tx, ids, options, now)
    woken(tx, queuedFor)
    return outcomes
  }

  return {
    /** What a recovery would queue, with the first of it. */
    previewRecovery: (tx: Tx, request: Pick<RecoveryRequest, 'subscriptionId' | 'since' | 'onlyMissing'>) =>
      previewRecovery(tx, request, settleMs),
    previewRetry,
    /** What a retry would queue. */
    countRetry: (tx: Tx, { filter, force }: Pick<RetryRequest, 'filter' | 'force'>) =>
      countRetry(tx, retriedBy(filter, force)),
    startRecovery,
    /** Starts a recovery that somebody asks for: refused while the subscription is switched off, or another one runs. */
    requestRecovery: async (tx: Tx, request: RecoveryRequest, now: Date): Promise<Started> =>
      (await recoveryRefusal(tx, request.subscriptionId)) ?? { ok: true, id: await startRecovery(tx, request, now) },
    /** Starts a job that puts every delivery of a filter back in the queue. @returns its id; undefined when there is none. */
    startRetry: async (tx: Tx, request: RetryRequest, now: Date) => kicked(tx, await insertRetry(tx, request, now)),
    cancel: cancelRedelivery,
    cancelOf: cancelRedeliveriesOf,
    /** Sends one event again, see replay-event.ts. @returns the subscriptions that get it. */
    replay: async (tx: Tx, eventId: number, subscriptionIds: readonly number[], now: Date) => {
      const queued = await replayEvent(tx, eventId, subscriptionIds, now)
      woken(tx, queued)
      return queued
    },
    retryMany,
    retryOne: async (tx: Tx, id: number, options: RetryOptions, now: Date): Promise<RetryOutcome> =>
      (await retryMany(tx, [id], options, now))[0] ?? 'gone',
    receiversOf: findReceivers,
    /** Gives one up, see drop-delivery.ts. */
    dropOne: async (tx: Tx, delivery: { readonly id: number; readonly subscriptionId: number }, now: Date) => {
      const outcome = await dropDelivery(tx, delivery.id, now)
      // The next one of its object may go.
      if (outcome === 'dropped') woken(tx, [delivery.subscriptionId])
      return outcome
    },
    runner,
    /** Makes every step that is due now. */
    runDue: () => runner.runDue(),
  }
}

export type Redeliveries = ReturnType<typeof makeRedeliveries>

type Started = Refusal | { readonly ok: true; readonly id: number | undefined }
