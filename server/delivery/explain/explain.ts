import { sql, type Selectable } from 'kysely'
import type { Db, Tables } from '#platform/db/database.ts'
import { explainAbsence } from './explain-absence.ts'
import { explainSituation } from './explain-delivery.ts'
import {
  attemptColumns,
  deliveryColumns,
  subscriptionColumns,
  type EarlierDelivery,
  type Explanation,
} from './explanation.ts'
import { matchesPattern, unmetPaths } from '../subscriber/matching.ts'
import type { DeliveryFilter } from '../log/delivery-filter.ts'
import { timeOfId } from '../tables/time-id.ts'

/** Why a delivery did or did not reach its receiver; undefined when there is no such delivery. */
export const explainDelivery = async (db: Db, deliveryId: number, now: Date): Promise<Explanation | undefined> => {
  const delivery = await db
    .selectFrom('deliveries')
    .select(['subscriptionId', 'objectType', 'objectId', 'eventType', 'lane', ...deliveryColumns])
    .where('id', '=', deliveryId)
    .executeTakeFirst()
  if (delivery === undefined) return undefined
  const subscription = await findState(db, delivery.subscriptionId)
  if (subscription === undefined) return undefined
  const situation = {
    ...delivery,
    log: await lastAttempts(db, deliveryId),
    subscription,
    before: await countBefore(db, delivery, now),
    earlier: delivery.status === 'waiting' ? await findEarlier(db, delivery, now) : undefined,
  }
  return { ...explainSituation(situation, now), matchedBy: matchingOf(subscription.eventTypes, delivery.eventType) }
}

type DeliveryRow = Selectable<Tables['deliveries']>

/** What the deliveries of an object wait for. */
const findEarlier = async (
  db: Db,
  { subscriptionId, objectType, objectId }: Pick<DeliveryRow, 'subscriptionId' | 'objectType' | 'objectId'>,
  now: Date,
): Promise<EarlierDelivery | undefined> => {
  const head = await db
    .selectFrom('deliveries')
    .select(['id', 'eventType'])
    .where('subscriptionId', '=', subscriptionId)
    .where('objectType', '=', objectType)
    .where('objectId', '=', objectId)
    .where(sql<boolean>`is_head`)
    .executeTakeFirst()
  const explanation = head && (await explainDelivery(db, head.id, now))
  if (head === undefined || explanation === undefined) return undefined
  return { id: head.id, eventType: head.eventType ?? '', createdAt: timeOfId(head.id), explanation }
}

/** An event, as somebody who looks for it sees it, with what became of it at a subscription. */
export interface ExplainedEvent {
  readonly eventId: number
  /** null when it cannot be found. */
  readonly eventType: string | null
  readonly occurredAt: Date | null
  readonly deliveryId: number | null
  readonly explanation: Explanation
}

/** Why an event did or did not reach a subscription, also when it has no delivery; undefined when there is no such subscription. */
export const explainEvent = async (
  db: Db,
  eventId: number,
  subscriptionId: number,
  now: Date,
): Promise<ExplainedEvent | undefined> => {
  const subscription = await findState(db, subscriptionId)
  if (subscription === undefined) return undefined
  const event = await db
    .selectFrom('events')
    .innerJoin('subscriptions', (join) => join.on('subscriptions.id', '=', subscriptionId))
    .select(['type', 'events.scope', 'occurredAt', 'addressee'])
    .select(unmetConditions.as('unmetConditions'))
    .where('events.id', '=', eventId)
    .executeTakeFirst()
  const deliveryId = await findDeliveryOf(db, eventId, subscriptionId)
  const explained = deliveryId === null ? undefined : await explainDelivery(db, deliveryId, now)
  const shown = { eventId, eventType: event?.type ?? null, occurredAt: event?.occurredAt ?? null, deliveryId }
  if (explained !== undefined) return { ...shown, explanation: explained }
  const isOlderThanKept = event === undefined && eventId < (await oldestEvent(db))
  const { eventTypes } = subscription
  const explanation = explainAbsence({
    event: event && { ...event, sentTo: sentTo(event.addressee, subscriptionId) },
    isOlderThanKept,
    scope: subscription.scope,
    eventTypes,
    subscription,
  })
  const facts = { matchedBy: matchingOf(eventTypes, shown.eventType), unmetConditions: event?.unmetConditions ?? null }
  return { ...shown, explanation: { ...explanation, ...facts } }
}

/**
 * The paths of a subscription's filter whose conditions do not hold for an event, each judged alone; null when all hold. Only of
 * an event that the subscription would get without its filter: conditions tell what is in an event.
 */
const unmetConditions = sql<readonly string[] | null>`case when addressee is null and content_type is null and exists (
    select from subscription_events listening
    where listening.subscription_id = subscriptions.id and listening.scope = events.scope
      and matches_pattern(events.type, listening.pattern)
  ) then ${sql.raw(unmetPaths)} end`

const matchingOf = (eventTypes: readonly string[], type: string | null): string | null =>
  type === null ? null : (eventTypes.find((pattern) => matchesPattern(type, pattern)) ?? null)

const sentTo = (addressee: number | null, subscriptionId: number) => {
  if (addressee === null) return 'listeners'
  return addressee === subscriptionId ? 'this' : 'another'
}

/** The newest events of an object, the newest first. */
export const findEventIds = async (
  db: Db,
  { objectType, objectId, eventType }: Pick<DeliveryFilter, 'eventType'> & { objectType: string; objectId: string },
  max: number,
): Promise<number[]> => {
  let query = db
    .selectFrom('events')
    .select('id')
    .where('objectType', '=', objectType)
    .where('objectId', '=', objectId)
    .orderBy('id', 'desc')
    .limit(max)
  if (eventType !== undefined) query = query.where('type', '=', eventType)
  return (await query.execute()).map(({ id }) => id)
}

const findState = (db: Db, id: number) =>
  db
    .selectFrom('subscriptions')
    .select(['scope', 'eventTypes', ...subscriptionColumns])
    .where('id', '=', id)
    .executeTakeFirst()

/** The newest, should there be several. */
const findDeliveryOf = async (db: Db, eventId: number, subscriptionId: number): Promise<number | null> => {
  const rows = await db
    .selectFrom('deliveries')
    .select('id')
    .where('eventId', '=', eventId)
    // An expression, so that nobody goes through all deliveries of the subscription.
    .where(sql<boolean>`subscription_id + 0 = ${subscriptionId}`)
    .execute()
  return rows.length === 0 ? null : Math.max(...rows.map(({ id }) => id))
}

const oldestEvent = async (db: Db): Promise<number> =>
  (await db.selectFrom('events').select('id').orderBy('id').limit(1).executeTakeFirst())?.id ?? 0

/** Attempts that an explanation goes through. */
const maxAttempts = 30

const lastAttempts = async (db: Db, deliveryId: number) => {
  const rows = await db
    .selectFrom('attempts')
    .select(attemptColumns)
    .where('deliveryId', '=', deliveryId)
    .orderBy('number', 'desc')
    .limit(maxAttempts)
    .execute()
  return rows.toReversed()
}

/** How far the deliveries before one are counted. */
const maxBefore = 10_000

type Place = Pick<DeliveryRow, 'subscriptionId' | 'lane' | 'status' | 'nextAttemptAt'>

/** Of one that is due: those under way were due before it, or at the same time. */
const countBefore = async (db: Db, { subscriptionId, lane, status, nextAttemptAt }: Place, now: Date) => {
  if (status !== 'pending') return { count: 0, isAll: true, underWay: 0 }
  const { rows } = await sql<{ count: number; underWay: number }>`
    select count(*) filter (where not is_leased and next_attempt_at < ${nextAttemptAt}) as count,
           count(*) filter (where is_leased) as under_way
    from (
      select next_attempt_at, leased_until is not null and leased_until > ${now} as is_leased from deliveries
      where subscription_id = ${subscriptionId} and lane = ${lane} and status = 'pending' and next_attempt_at <= ${nextAttemptAt}
      order by next_attempt_at limit ${maxBefore + 1}
    ) before`.execute(db)
  const { count, underWay } = rows[0] ?? { count: 0, underWay: 0 }
  return { count: Math.min(count, maxBefore), isAll: count + underWay <= maxBefore, underWay }
}
