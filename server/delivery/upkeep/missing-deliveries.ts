import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { findingOf, type CheckOptions, type Finding } from './finding.ts'
import { insertDeliveries, lockMissing, type MissingDelivery as Missing } from '../redelivery/put-back.ts'

/** Ids of events: after the first, up to the second one included. */
export interface EventRange {
  readonly after: number
  readonly upTo: number
}

/** Events and deliveries that one slice looks at, at most (one event's deliveries always belong together). */
const sliceEvents = 5_000
const sliceDeliveries = 20_000

/** The first part of a range that a single statement should look at. */
export const sliceOf = async (tx: Tx, { after, upTo }: EventRange): Promise<EventRange> => {
  const { rows } = await sql<{ last: number | null }>`
    select least(
      (select id from events where id > ${after} and id <= ${upTo} order by id offset ${sliceEvents - 1} limit 1),
      (select event_id from deliveries where event_id > ${after} and event_id <= ${upTo}
       order by event_id offset ${sliceDeliveries - 1} limit 1)
    ) as last`.execute(tx)
  return { after, upTo: rows[0]?.last ?? upTo }
}

/**
 * The last event that can be judged: what a transaction in flight has appended cannot be seen yet.
 * @param settleMs time that is left out, in which such a transaction has ended.
 */
export const lastSettled = async (db: Db | Tx, settleMs: number): Promise<number> => {
  const { rows } = await sql<{ last: number }>`
    select time_id_floor(clock_timestamp() - ${settleMs} * interval '1 ms') - 1 as last`.execute(db)
  return rows[0]?.last ?? 0
}

/**
 * Pairs of event and subscription that should have a delivery and have none. A subscription counts from when it was last
 * created, changed or switched on (`listening_since`), and a little later, because a transaction in flight then may have
 * seen it as it was before. 25 ms for 10,000 events with three deliveries each: both sides of `except` are read by a
 * range of an index and compared by one hash.
 */
const findMissing = async (tx: Tx, { after, upTo }: EventRange, settleMs: number): Promise<Missing[]> => {
  const { rows } = await sql<Missing>`
    with happened as materialized (
      select id, scope, type, addressee, body,
             timestamptz '2026-01-01 00:00:00Z' + (id / 4096 - ${settleMs}) * interval '1 ms' as listening_by
      from events where id > ${after} and id <= ${upTo}
    ),
    -- Once, however many patterns and values of a subscription match; read here and not for each event.
    listening as materialized (
      select heard.*, listening_since, filter, filter_path
      from (
        select distinct kind.scope, type, subscription_id, filter_on > '' as is_filtered
        from (select distinct scope, type from happened) kind
        join subscription_events listening on listening.scope = kind.scope and matches_pattern(type, pattern)
      ) heard
      join subscriptions subscription on subscription.id = subscription_id
      where subscription.deleted_at is null
        and (subscription.is_active or subscription.disabled_reason in ('failing', 'gone'))
    ),
    -- A body is parsed once, however many subscriptions have a filter, and only where some has.
    heard as materialized (
      select happened.*, case when is_filtered then body::jsonb end as object
      from happened
      join (select scope, type, bool_or(is_filtered) as is_filtered from listening group by scope, type) kind using (scope, type)
      where addressee is null
    )
    select event.id as event_id, subscription_id
    from listening
    join heard event using (scope, type)
    where listening_since <= event.listening_by and fulfils(object, filter, filter_path)
    union all
    select event.id, subscription.id
    from happened event
    join subscriptions subscription on subscription.id = event.addressee
    where subscription.deleted_at is null
      and (subscription.is_active or subscription.disabled_reason in ('failing', 'gone'))
    except
    select event_id, subscription_id from deliveries where event_id > ${after} and event_id <= ${upTo}
    order by event_id, subscription_id`.execute(tx)
  return rows
}

/** Checks that every event of a slice has a delivery for every subscription that it is for. */
export const checkMissing = async (
  tx: Tx,
  slice: EventRange,
  { settleMs, now, repair }: CheckOptions,
): Promise<Finding> => {
  const missing = await findMissing(tx, slice, settleMs)
  if (repair && missing.length > 0) {
    await lockMissing(tx, [...new Set(missing.map(({ subscriptionId }) => subscriptionId))])
    // Somebody who asked for them again may have been quicker.
    await insertDeliveries(tx, await findMissing(tx, slice, settleMs), 0, now)
  }
  const events = [...new Set(missing.map(({ eventId }) => eventId))]
  return { ...findingOf('delivery_missing', events, repair ? missing.length : 0), found: missing.length }
}
