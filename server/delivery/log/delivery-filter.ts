import { sql, type RawBuilder } from 'kysely'
import { deliveryStatuses, type DeliveryStatus } from '../tables/tables.ts'
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
  readonly isWaiting?: boolean | undefined
  readonly lastStatus?: number | undefined
  readonly lastReason?: string | undefined
  readonly objectType?: string | undefined
  readonly objectId?: string | undefined
  readonly createdFrom?: Date | undefined
  /** Exclusive. */
  readonly createdBefore?: Date | undefined
}

/** In the collation of the log's index of statuses, which no other statement must take for one of its own (migration 0048). */
const loggedStatus = sql`deliveries.status collate "C"`

/** As a choice, in which the index of what is not delivered finds the part of each status that a range of ids has. */
const isNotDelivered = sql<boolean>`${loggedStatus} in (${sql.join(
  deliveryStatuses.filter((status) => status !== 'delivered').map((status) => sql.lit(status)),
)})`

/** The filter as a condition on `deliveries`. Time is a range of ids. */
export const matches = (filter: DeliveryFilter): RawBuilder<boolean> => {
  const { subscriptionIds, pendingTried, delivered } = filter
  const [first, ...others] = subscriptionIds
  const conditions = [
    // PostgreSQL before 17 walks an index in order for a value, not for an array that has only one.
    others.length === 0 && first !== undefined
      ? sql<boolean>`deliveries.subscription_id = ${first}::bigint`
      : sql<boolean>`deliveries.subscription_id = any(${[...subscriptionIds]}::bigint[])`,
  ]
  conditions.push(...ofStatuses(filter))
  for (const [name, condition] of Object.entries(comparisons)) {
    const wanted = filter[name as keyof typeof comparisons]
    if (wanted !== undefined) conditions.push(condition(wanted as never))
  }
  if (pendingTried !== undefined)
    conditions.push(sql`(${loggedStatus} <> 'pending' or (deliveries.attempts > 0) = ${pendingTried}::boolean)`)
  if (delivered === true) conditions.push(sql`${loggedStatus} = 'delivered'`)
  if (delivered === false || isOfFailure(filter)) conditions.push(isNotDelivered)
  return sql`(${sql.join(conditions, sql` and `)})`
}

/** Statuses whose deliveries have an index by subscription, in the usual collation: deliveries_held, _failed and _due. */
const indexedBySubscription: ReadonlySet<DeliveryStatus> = new Set(['held', 'failed', 'pending'])

const ofStatuses = ({ statuses, subscriptionIds }: DeliveryFilter): RawBuilder<boolean>[] => {
  if (statuses === undefined) return []
  const [status, ...others] = statuses
  if (status !== undefined && others.length === 0 && subscriptionIds.length === 1 && indexedBySubscription.has(status))
    return [sql`deliveries.status = ${sql.lit(status)}`]
  return [sql`${loggedStatus} = any(${[...statuses]}::text[])`]
}

const comparisons = {
  id: (id: number) => sql<boolean>`deliveries.id = ${id}::bigint`,
  eventType: (type: string) => sql<boolean>`deliveries.event_type = ${type}`,
  objectType: (type: string) => sql<boolean>`deliveries.object_type = ${type}`,
  objectId: (id: string) => sql<boolean>`deliveries.object_id = ${id}`,
  isWaiting: (isWaiting: boolean) => sql<boolean>`${loggedStatus} ${sql.raw(isWaiting ? '=' : '<>')} 'waiting'`,
  lastStatus: (status: number) => sql<boolean>`deliveries.last_status = ${status}::bigint`,
  lastReason: (reason: string) => sql<boolean>`deliveries.last_reason = ${reason}`,
  createdFrom: (from: Date) => sql<boolean>`deliveries.id >= ${firstIdOf(from)}::bigint`,
  createdBefore: (before: Date) => sql<boolean>`deliveries.id < ${firstIdOf(before)}::bigint`,
}

/** From an HTTP status or a reason of a failure it follows that nothing was delivered, which lets the index of that lead. */
const isOfFailure = ({ lastStatus, lastReason }: DeliveryFilter): boolean =>
  (lastStatus !== undefined && (lastStatus < 200 || lastStatus >= 300)) ||
  (lastReason !== undefined && lastReason !== 'delivered')

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
