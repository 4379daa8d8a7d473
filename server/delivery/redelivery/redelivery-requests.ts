import type { Tx } from '#platform/db/database.ts'
import type { DeliveryFilter, StoredDeliveryFilter } from '../log/delivery-filter.ts'
import { lockMissing } from './put-back.ts'
import { countRecovery, countRetry, type Counted } from './redelivery-counts.ts'
import { findRunningRecovery, insertRedelivery, type NewRedelivery } from './redelivery-store.ts'
import type { DeliveryStatus } from '../tables/tables.ts'

/** What every job is asked for. */
interface JobRequest {
  /** The user who asked for it; null for the engine itself. */
  readonly requestedBy: number | null
  /** Deliveries queued in a second. */
  readonly perSecond?: number | undefined
  /** How it was asked for, to be shown again. */
  readonly asked?: Readonly<Record<string, unknown>> | undefined
}

/** Every event of a subscription's kinds that did not reach it. */
export interface RecoveryRequest extends JobRequest {
  readonly subscriptionId: number
  /** Events since then, and since there is the subscription. */
  readonly since: Date
}

/** Every delivery of a filter that failed or is held. */
export interface RetryRequest extends JobRequest {
  readonly filter: DeliveryFilter
  /** Also what was delivered. */
  readonly force: boolean
}

/** A job that was started, if there was anything to do; or why a recovery cannot be: `id` is that of the one that runs. */
export type Started =
  | { readonly ok: true; readonly id: number | undefined }
  | { readonly ok: false; readonly reason: 'inactive' }
  | { readonly ok: false; readonly reason: 'running'; readonly id: number }

export const defaultPerSecond = 200

/** @returns the job's id; undefined when nothing is to be queued, or there is no such subscription. */
export const insertRecovery = async (
  tx: Tx,
  { subscriptionId, since, ...request }: RecoveryRequest,
  { now, settleMs }: { readonly now: Date; readonly settleMs: number },
): Promise<number | undefined> => {
  const counted = await countRecovery(tx, { subscriptionId, since, settleMs })
  return counted === undefined ? undefined : insert(tx, { kind: 'recover', subscriptionId, ...request }, counted, now)
}

export type Refusal = Exclude<Started, { ok: true }>

/** Why a recovery is not to be started now; undefined when it may be. Nobody else starts one before the transaction ends. */
export const recoveryRefusal = async (tx: Tx, subscriptionId: number): Promise<Refusal | undefined> => {
  // Of two requests at once the second finds what the first has started.
  await lockMissing(tx, [subscriptionId])
  return recoveryObstacle(tx, subscriptionId)
}

/** What a recovery would be refused for if it were asked for now. */
export const recoveryObstacle = async (tx: Tx, subscriptionId: number): Promise<Refusal | undefined> => {
  const active = await tx
    .selectFrom('subscriptions')
    .select('id')
    .where('id', '=', subscriptionId)
    .where('isActive', '=', true)
    .executeTakeFirst()
  if (active === undefined) return { ok: false, reason: 'inactive' }
  const id = await findRunningRecovery(tx, subscriptionId)
  return id === undefined ? undefined : { ok: false, reason: 'running', id }
}

/** @returns the job's id; undefined when nothing is to be queued. */
export const insertRetry = async (
  tx: Tx,
  { filter, force, ...request }: RetryRequest,
  now: Date,
): Promise<number | undefined> => {
  const retried = retriedBy(filter, force)
  const deliveries = JSON.parse(JSON.stringify(retried)) as StoredDeliveryFilter
  return insert(tx, { kind: 'retry', subscriptionId: null, deliveries, ...request }, await countRetry(tx, retried), now)
}

/** The filter with the statuses that a retry takes: delivered ones only when that is forced, and nothing that is due. */
export const retriedBy = (filter: DeliveryFilter, force: boolean): DeliveryFilter => {
  const all: readonly DeliveryStatus[] = force ? ['failed', 'held', 'delivered'] : ['failed', 'held']
  return { ...filter, statuses: all.filter((status) => filter.statuses?.includes(status) ?? true) }
}

interface Job extends JobRequest {
  readonly kind: NewRedelivery['kind']
  readonly subscriptionId: number | null
  readonly deliveries?: StoredDeliveryFilter
}

const insert = async (tx: Tx, job: Job, counted: Counted, now: Date): Promise<number | undefined> => {
  const { count, isExact, position, last } = counted
  if (count === 0 && isExact) return undefined
  const { kind, subscriptionId, requestedBy, perSecond = defaultPerSecond, asked = {}, deliveries } = job
  const filter = { asked, isExact, ...(deliveries === undefined ? {} : { deliveries }) }
  return insertRedelivery(
    tx,
    { kind, subscriptionId, filter, requestedBy, position, last, total: count, perSecond },
    now,
  )
}
