import type { Logger } from 'pino'
import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { afterCommit } from '#platform/db/transaction.ts'
import type { Service } from '#platform/supervisor.ts'
import { countRecovery, countRetry, type Counted } from './redelivery-counts.ts'
import {
  insertRecovery,
  insertRetry,
  recoveryObstacle,
  recoveryRefusal,
  retriedBy,
  type RecoveryRequest,
  type Refusal,
  type RetryRequest,
  type Started,
} from './redelivery-requests.ts'
import { makeRedeliveryRunner } from './redelivery-runner.ts'
import { cancelRedeliveriesOf, cancelRedelivery } from './redelivery-store.ts'
import { replayEvent } from './replay-event.ts'
import {
  findReceivers,
  retryDeliveries,
  retryDelivery,
  type ManyRetried,
  type Receiver,
  type RetryManyOptions,
  type RetryOptions,
  type RetryOutcome,
} from './retry-delivery.ts'
import type { Wake } from '../queue/wake.ts'

export interface RedeliveriesDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
  readonly wake: (...woken: Parameters<Wake>) => void
  /** Longest time between an event's id and its commit that a recovery reckons with. */
  readonly settleMs?: number
}

/** Puts deliveries back in the queue: one event again, or many by a job that goes on where it stopped. */
export interface Redeliveries {
  /** What a recovery would queue; undefined when there is no such subscription. */
  countRecovery(tx: Tx, request: Pick<RecoveryRequest, 'subscriptionId' | 'since'>): Promise<Counted | undefined>
  /** Why a recovery that is asked for now would be refused; undefined when it would be started. */
  recoveryObstacle(tx: Tx, subscriptionId: number): Promise<Refusal | undefined>
  /** What a retry would queue. */
  countRetry(tx: Tx, request: Pick<RetryRequest, 'filter' | 'force'>): Promise<Counted>
  /**
   * Starts a job that brings a subscription every event of its kinds since a time that did not reach it.
   * It works while the subscription is active. @returns its id; undefined when nothing is to be queued.
   */
  startRecovery(tx: Tx, request: RecoveryRequest, now: Date): Promise<number | undefined>
  /** The same for somebody who asks for it: refused while the subscription is switched off, or another one runs. */
  requestRecovery(tx: Tx, request: RecoveryRequest, now: Date): Promise<Started>
  /** Starts a job that puts every delivery of a filter back in the queue. @returns its id; undefined when there is none. */
  startRetry(tx: Tx, request: RetryRequest, now: Date): Promise<number | undefined>
  /** @returns false when the job had ended already. */
  cancel(tx: Tx, id: number, now: Date): Promise<boolean>
  /** Ends every job that a user asked for: they may not ask for it any more. @returns how many that were. */
  cancelOf(tx: Tx, userId: number, now: Date): Promise<number>
  /** Sends one event again, see replay-event.ts. @returns the subscriptions that get it. */
  replay(tx: Tx, eventId: number, subscriptionIds: readonly number[], now: Date): Promise<number[]>
  /** Puts one delivery back in the queue, see retry-delivery.ts. */
  retryOne(tx: Tx, id: number, options: RetryOptions, now: Date): Promise<RetryOutcome['outcome']>
  /** The same for many at once. @returns what became of each, in their order. */
  retryMany(tx: Tx, ids: readonly number[], options: RetryManyOptions, now: Date): Promise<ManyRetried['outcomes']>
  /** Whom deliveries go to, by their ids; without those of which nothing can be sent any more. */
  receiversOf(db: Db | Tx, ids: readonly number[]): Promise<ReadonlyMap<number, Receiver>>
  /** Makes the jobs' steps, in processes that deliver. */
  readonly runner: Service
  /** Makes every step that is due now. */
  runDue(): Promise<void>
}

const defaultSettleMs = 5_000

export const makeRedeliveries = ({ settleMs = defaultSettleMs, ...deps }: RedeliveriesDeps): Redeliveries => {
  const { wake } = deps
  const runner = makeRedeliveryRunner({ ...deps, settleMs })

  const kicked = <T>(tx: Tx, started: T): T => {
    afterCommit(tx, () => runner.kick())
    return started
  }
  const startRecovery: Redeliveries['startRecovery'] = async (tx, request, now) =>
    kicked(tx, await insertRecovery(tx, request, { now, settleMs }))

  return {
    countRecovery: (tx, { subscriptionId, since }) => countRecovery(tx, { subscriptionId, since, settleMs }),
    recoveryObstacle,
    countRetry: (tx, { filter, force }) => countRetry(tx, retriedBy(filter, force)),
    startRecovery,
    requestRecovery: async (tx, request, now) =>
      (await recoveryRefusal(tx, request.subscriptionId)) ?? { ok: true, id: await startRecovery(tx, request, now) },
    startRetry: async (tx, request, now) => kicked(tx, await insertRetry(tx, request, now)),
    cancel: cancelRedelivery,
    cancelOf: cancelRedeliveriesOf,
    replay: async (tx, eventId, subscriptionIds, now) => {
      const queued = await replayEvent(tx, eventId, subscriptionIds, now)
      if (queued.length > 0) afterCommit(tx, () => wake(queued, 1))
      return queued
    },
    retryOne: async (tx, id, options, now) => {
      const retried = await retryDelivery(tx, id, options, now)
      if (retried.outcome === 'queued') afterCommit(tx, () => wake([retried.subscriptionId], 1))
      return retried.outcome
    },
    retryMany: async (tx, ids, options, now) => {
      const { outcomes, queuedFor } = await retryDeliveries(tx, ids, options, now)
      if (queuedFor.length > 0) afterCommit(tx, () => wake(queuedFor, 1))
      return outcomes
    },
    receiversOf: findReceivers,
    runner,
    runDue: () => runner.runDue(),
  }
}
