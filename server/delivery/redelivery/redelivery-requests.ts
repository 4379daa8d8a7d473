import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import type { DeliveryFilter, StoredDeliveryFilter } from '../log/delivery-filter.ts'
import { lockMissing } from './put-back.ts'
import { getsEvent } from '../subscriber/matching.ts'
import { firstDeliveryOf, windowOf as eventWindowOf } from './recover-step.ts'
import { findRunningRecovery, insertRedelivery, type NewRedelivery } from './redelivery-store.ts'
import { retryable, windowOf as deliveryWindowOf } from './retry-step.ts'
import type { DeliveryStatus } from '../tables/tables.ts'
import { firstIdOf, idsPerMs } from '../tables/time-id.ts'

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
  /** Only events that have no delivery to it at all, also those from before there was the subscription. */
  readonly onlyMissing?: boolean | undefined
}

/** Every delivery of a filter that failed or is held. */
export interface RetryRequest extends JobRequest {
  readonly filter: DeliveryFilter
  /** Also what was delivered. */
  readonly force: boolean
}

/** Why a recovery cannot be started: `id` is that of the one that runs. */
export type Refusal =
  | { readonly ok: false; readonly reason: 'inactive' }
  | { readonly ok: false; readonly reason: 'running'; readonly id: number }

/** How many deliveries a job will queue, and the ids it has to go through for them. */
interface Counted extends Pick<NewRedelivery, 'position' | 'last'> {
  readonly count: number
  /** Whether `count` is all of it; else there are more ids than are looked at for a count. */
  readonly isExact: boolean
}

export const defaultPerSecond = 200

/** Ids that are looked at for a count, which takes a fraction of a second. The job itself has no limit. */
const examinedForCount = 200_000

/**
 * What a recovery of the subscription would queue now; undefined when there is no such subscription.
 * @param settleMs see `recoverStep`: events may also commit this long after the start with an id from before it.
 */
export const countRecovery = async (
  tx: Tx,
  { subscriptionId, since, onlyMissing = false }: Pick<RecoveryRequest, 'subscriptionId' | 'since' | 'onlyMissing'>,
  settleMs: number,
): Promise<Counted | undefined> => {
  const subscription = await tx
    .selectFrom('subscriptions')
    .select('createdAt')
    .where('id', '=', subscriptionId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (subscription === undefined) return undefined
  const { createdAt } = subscription
  const position = Math.max(firstIdOf(onlyMissing || since > createdAt ? since : createdAt), 1) - 1
  const last = await newestId(tx, 'events')
  const window = await eventWindowOf(tx, { position, last, max: examinedForCount }, 0)
  const { rows } = await sql<{ count: number; now: number }>`
    select count(*) as count, time_id_floor(clock_timestamp()) as now
    from events event
    join subscriptions subscription on subscription.id = ${subscriptionId}
    left join deliveries delivery on delivery.event_id = event.id and delivery.subscription_id = ${subscriptionId}
      and delivery.id >= ${firstDeliveryOf(window)}::bigint
    where event.id > ${window.start}::bigint and event.id <= ${window.end}::bigint
      and ${sql.raw(getsEvent)}
      and (delivery.id is null or not ${onlyMissing}::boolean
        and delivery.status in ('held', 'failed', 'cancelled') and last_reason is distinct from 'dropped')`.execute(tx)
  const { count = 0, now = 0 } = rows[0] ?? {}
  return { count, isExact: !window.isFull, position, last: settleMs === 0 ? last : now + settleMs * idsPerMs }
}

/** What a retry of deliveries would queue now; `retriedBy` says of which. */
export const countRetry = async (tx: Tx, filter: DeliveryFilter): Promise<Counted> => {
  const { createdFrom, createdBefore } = filter
  const position = createdFrom === undefined ? 0 : Math.max(firstIdOf(createdFrom), 1) - 1
  const before = createdBefore === undefined ? Infinity : firstIdOf(createdBefore) - 1
  const last = Math.max(Math.min(await newestId(tx, 'deliveries'), before), position)
  const window = await deliveryWindowOf(tx, filter, { position, last, max: examinedForCount })
  const { count } = await retryable(tx, filter, window)
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  return { count, isExact: !window.isFull, position, last }
}

const newestId = async (tx: Tx, table: 'events' | 'deliveries'): Promise<number> =>
  (await tx.selectFrom(table).select('id').orderBy('id', 'desc').limit(1).executeTakeFirst())?.id ?? 0

/** @returns the job's id; undefined when nothing is to be queued, or there is no such subscription. */
export const insertRecovery = async (
  tx: Tx,
  { subscriptionId, since, onlyMissing, ...request }: RecoveryRequest,
  { now, settleMs }: { readonly now: Date; readonly settleMs: number },
): Promise<number | undefined> =>
  insert(
    tx,
    { ...request, kind: 'recover', subscriptionId, ...(onlyMissing === true && { onlyMissing }) },
    await countRecovery(tx, { subscriptionId, since, onlyMissing }, settleMs),
    now,
  )

/** @returns the job's id; undefined when nothing is to be queued. */
export const insertRetry = async (
  tx: Tx,
  { filter, force, ...request }: RetryRequest,
  now: Date,
): Promise<number | undefined> => {
  const retried = retriedBy(filter, force)
  const deliveries = JSON.parse(JSON.stringify(retried)) as StoredDeliveryFilter
  return insert(tx, { ...request, kind: 'retry', subscriptionId: null, deliveries }, await countRetry(tx, retried), now)
}

/** The filter with the statuses that a retry takes: delivered ones only when that is forced, and nothing that is due. */
export const retriedBy = (filter: DeliveryFilter, force: boolean): DeliveryFilter => {
  const all: readonly DeliveryStatus[] = force ? ['failed', 'held', 'delivered'] : ['failed', 'held']
  return { ...filter, statuses: all.filter((status) => filter.statuses?.includes(status) ?? true) }
}

type Job = JobRequest &
  Pick<NewRedelivery, 'kind' | 'subscriptionId'> &
  Pick<NewRedelivery['filter'], 'deliveries' | 'onlyMissing'>

const insert = async (tx: Tx, job: Job, counted: Counted | undefined, now: Date): Promise<number | undefined> => {
  if (counted === undefined || (counted.count === 0 && counted.isExact)) return undefined
  const { count: total, isExact, ...range } = counted
  const { kind, subscriptionId, requestedBy, perSecond = defaultPerSecond, asked = {}, deliveries, onlyMissing } = job
  const own = { ...(deliveries && { deliveries }), ...(onlyMissing && { onlyMissing }) }
  const filter = { asked, isExact, ...own }
  return insertRedelivery(tx, { kind, subscriptionId, filter, requestedBy, ...range, total, perSecond }, now)
}

/** Why a recovery is not to be started now; undefined when it may be. Nobody else starts one before the transaction ends. */
export const recoveryRefusal = async (tx: Tx, subscriptionId: number): Promise<Refusal | undefined> => {
  // Of two requests at once the second finds what the first has started.
  await lockMissing(tx, [subscriptionId])
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
