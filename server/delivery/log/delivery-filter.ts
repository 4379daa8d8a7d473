import { sql, type ExpressionBuilder, type RawBuilder } from 'kysely'
import type { Tables } from '#platform/db/database.ts'
import type { DeliveryStatus } from '../tables/tables.ts'
import { firstIdOf } from '../tables/time-id.ts'

/** Which deliveries are meant. What is undefined does not limit. */
export interface DeliveryFilter {
  /** The subscriptions the reader may see. */
  readonly subscriptionIds: readonly number[]
  readonly id?: number | undefined
  readonly eventType?: string | undefined
  readonly statuses?: readonly DeliveryStatus[] | undefined
  /** Whether pending ones that were tried are meant, or those that were not; absent: both. */
  readonly pendingTried?: boolean | undefined
  readonly delivered?: boolean | undefined
  readonly lastStatus?: number | undefined
  readonly lastReason?: string | undefined
  readonly objectType?: string | undefined
  readonly objectId?: string | undefined
  readonly createdFrom?: Date | undefined
  /** Exclusive. */
  readonly createdBefore?: Date | undefined
}

/**
 * The filter as a condition on `deliveries`. Time is a range of ids; the event is reached through a
 * semi-join, so its indexes can lead as well as follow.
 */
export const matches = (eb: ExpressionBuilder<Tables, 'deliveries'>, filter: DeliveryFilter) => {
  const ofEvent = Object.entries({
    type: filter.eventType,
    objectType: filter.objectType,
    objectId: filter.objectId,
  }).filter(([, value]) => value !== undefined)
  if (ofEvent.length === 0) return eb.and(ofDelivery(filter))
  const events = eb
    .selectFrom('events')
    .select('events.id')
    .where(({ and }) => and(Object.fromEntries(ofEvent)))
  return eb.and([...ofDelivery(filter), eb('deliveries.eventId', 'in', events)])
}

const ofDelivery = (filter: DeliveryFilter): RawBuilder<boolean>[] => {
  const { subscriptionIds, id, statuses, pendingTried, delivered } = filter
  const { lastStatus, lastReason, createdFrom, createdBefore } = filter
  const conditions = [sql<boolean>`deliveries.subscription_id = any(${[...subscriptionIds]}::bigint[])`]
  if (id !== undefined) conditions.push(sql`deliveries.id = ${id}::bigint`)
  if (statuses !== undefined) conditions.push(sql`deliveries.status = any(${[...statuses]}::text[])`)
  if (pendingTried !== undefined)
    conditions.push(sql`(deliveries.status <> 'pending' or (deliveries.attempts > 0) = ${pendingTried}::boolean)`)
  if (delivered !== undefined)
    conditions.push(delivered ? sql`deliveries.status = 'delivered'` : sql`deliveries.status <> 'delivered'`)
  if (lastStatus !== undefined) conditions.push(sql`deliveries.last_status = ${lastStatus}::bigint`)
  if (lastReason !== undefined) conditions.push(sql`deliveries.last_reason = ${lastReason}`)
  if (createdFrom !== undefined) conditions.push(sql`deliveries.id >= ${firstIdOf(createdFrom)}::bigint`)
  if (createdBefore !== undefined) conditions.push(sql`deliveries.id < ${firstIdOf(createdBefore)}::bigint`)
  return conditions
}

/** A filter as JSON keeps it. */
export type StoredDeliveryFilter = Omit<DeliveryFilter, 'createdFrom' | 'createdBefore'> & {
  readonly createdFrom?: string
  readonly createdBefore?: string
}

/** Reads a filter that was kept as JSON. */
export const readDeliveryFilter = ({ createdFrom, createdBefore, ...rest }: StoredDeliveryFilter): DeliveryFilter => ({
  ...rest,
  createdFrom: createdFrom === undefined ? undefined : new Date(createdFrom),
  createdBefore: createdBefore === undefined ? undefined : new Date(createdBefore),
})
