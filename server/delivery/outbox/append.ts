import { CompiledQuery } from 'kysely'
import type { EventData, EventType } from '#events/catalogue.ts'
import type { ContentType } from '#events/content-types.ts'
import type { Db } from '#platform/db/database.ts'
import { prepared } from '#platform/db/prepared.ts'
import { currentTraceparent } from '#platform/tracing/tracing.ts'
import { makeLease, maxClaimedBytes, type Claimed, type Want } from '../queue/claim.ts'
import { listeningParts, patternsOf } from '../subscriber/matching.ts'
import { standardBody } from '../tables/envelope.ts'

/** Something that happened, as a domain says it. */
export type NewEvent<T extends EventType = EventType> = {
  [K in T]: {
    readonly type: K
    /** The object after the change. */
    readonly data: EventData<K>
    /** Which subscriptions can get it: `back-office`, or one project's. */
    readonly scope: string
    readonly object: { readonly type: ContentType; readonly id: number | string }
    /** When it happened, as deliveries say; absent: now. Who listens, and the place in history, go by now all the same. */
    readonly occurredAt?: Date
    /** The trace that it is of; absent: that of what is going on. */
    readonly traceparent?: string
  }
}[T]

/** An event of another system, under an id that whoever raises it uses once. */
export interface Arrival {
  readonly userId: number
  readonly id: string
  /** Tells the event from another one with the same id. */
  readonly contentHash: string
  readonly event: NewEvent
}

/**
 * Stores the rows of `input` as events, with a delivery for each subscription that matches. `$1` now; `$7`, `$8`
 * subscriptions, and how many of their deliveries a worker of this process has room for; `$9`, `$10` token and end of the
 * leases that it takes.
 *
 * Each object's counter row is locked until the transaction ends, so the numbers of one object follow the order of
 * commits and have no gaps. Ids are given before rows are inserted, so that nothing has to be joined with what was inserted.
 * A millisecond has 4,096 ids, which a fast machine could use up here: every 2,048 rows count as one millisecond more.
 *
 * A lease is as a claim makes it. Only a claim can lock the rows of subscriptions that are failing or limited in their
 * rate, so their deliveries get no lease here; nor do those that wait for an earlier one of their object (see
 * order/object-queues.ts).
 */
const storeInput = `
  counters as (
    insert into object_sequences as counter (object_type, object_id, last)
    select object_type, object_id, count(*) from input group by object_type, object_id order by object_type, object_id
    on conflict (object_type, object_id) do update set last = counter.last + excluded.last
    returning object_type, object_id, last
  ),
  numbered as materialized (
    select next_time_id('event_ids') + position / 2048 * 4096 as event_id, ordered.*
    from (
      select input.*, counters.last
               - count(*) over (partition by object_type, object_id)
               + row_number() over (partition by object_type, object_id order by position) as sequence
      from input join counters using (object_type, object_id)
      order by position
    ) ordered
  ),
  appended as (
    insert into events (id, scope, type, occurred_at, object_type, object_id, sequence, body, traceparent)
    select event_id, scope, type, $1, object_type, object_id, sequence, body, traceparent from numbered
  ),
${listeningParts},
  heard as (
    select event_id, sequence, numbered.position, numbered.scope, numbered.type, object_type, object_id,
           subscription.id as subscription_id, subscription.is_active, subscription.version,
           subscription.envelope, subscription.is_ordered,
           subscription.failures > 0 as is_troubled,
           case when subscription.is_active and subscription.health = 'healthy' and subscription.rate_per_second is null
                  and ordering_since is null and (subscription.hold_until is null or subscription.hold_until <= $1) then offer.room end as room
    from numbered
    join listening using (position)
    left join objects on objects.position = numbered.position
    join subscriptions subscription on subscription.id = listening.subscription_id and fulfils(object, filter, filter_path)
      and (subscription.is_active or subscription.disabled_reason in ('failing', 'gone'))
    left join unnest($7::bigint[], $8::integer[]) as offer (subscription_id, room)
      on offer.subscription_id = subscription.id
  ),
  queues as (
    insert into object_queues as queue (subscription_id, object_type, object_id, head_sequence)
    select subscription_id, object_type, object_id, min(sequence) from heard where is_ordered
    group by subscription_id, object_type, object_id order by subscription_id, object_type, object_id
    on conflict (subscription_id, object_type, object_id) do update set head_sequence = queue.head_sequence
    returning subscription_id, object_type, object_id, head_sequence
  ),
  matched as materialized (
    select next_time_id('delivery_ids') + row_number() over () / 2048 * 4096 as id, ordered.*
    from (
      select heard.*, sequence = head_sequence as is_head,
             (head_sequence is null or sequence = head_sequence) and row_number() over (
               partition by subscription_id, sequence = head_sequence order by event_id) <= room as is_leased
      from heard left join queues using (subscription_id, object_type, object_id)
      order by event_id
    ) ordered
  ),
  queued as (
    insert into deliveries (id, event_id, subscription_id, envelope, next_attempt_at, status, event_type, object_type, object_id,
                            sequence, is_head, attempts, lease_token, leased_at, leased_until)
    select id, event_id, subscription_id, envelope, $1,
           case when not is_active then 'held' when not is_head then 'waiting' else 'pending' end,
           type, object_type, object_id, case when is_ordered then sequence end, is_head,
           case when is_leased then 1 else 0 end, case when is_leased then $9::bigint end,
           case when is_leased then $1 end, case when is_leased then $10::timestamptz end
    from matched
  )
  select id, event_id as "eventId", subscription_id as "subscriptionId", sequence, position::integer, version,
         envelope, is_troubled as "isTroubled", is_head as "isHead"
  from matched where is_leased
  union all
  select null, null, subscription_id, null, min(position)::integer, null, null, null, null
  from matched where is_active and is_leased is not true group by subscription_id, scope, type`

/**
 * Bodies come as lines of one text, since JSON has no line break that is not escaped: nothing has to be quoted a second
 * time here, or parsed there. Without tracing there is no array of traces, which is then null for each.
 */
const eventColumns = `unnest($2::text[]), unnest($3::text[]), unnest($4::text[]), unnest($5::text[]), string_to_table($6, E'\\n'),
  unnest($11::text[]), unnest($12::text[])`

const appendStatement = prepared(`
  with input as (
    select * from rows from (${eventColumns}) with ordinality as entry (scope, type, object_type, object_id, body, patterns, traceparent, position)
  ),${storeInput}`)

/**
 * Ids are taken in their order, before the counters of objects are locked: of two transactions that share some, the second
 * waits at the first id they share, holding none that the first still wants.
 */
const acceptStatement = prepared(`
  with given as (
    select * from rows from (${eventColumns}, unnest($13::bigint[]), unnest($14::text[]), unnest($15::text[]))
      with ordinality as entry (scope, type, object_type, object_id, body, patterns, traceparent, user_id, external_id, content_hash, position)
  ),
  taken as (
    insert into external_events (user_id, id, content_hash, accepted_at)
    select user_id, external_id, content_hash, now() from given order by user_id, external_id collate "C"
    on conflict do nothing
    returning user_id, id
  ),
  input as (
    select given.* from given join taken on taken.user_id = given.user_id and taken.id = given.external_id
  ),${storeInput}
  union all
  select null, null, null, null, position::integer, null, null, null, null from input`)

const leasedColumns = [
  ...(['id', 'eventId', 'subscriptionId', 'sequence'] as const),
  ...(['version', 'envelope', 'isTroubled', 'isHead'] as const),
] as const

/** A row of the answer: a leased delivery; a subscription that has others waiting; or an event whose id was free. */
interface Row extends Pick<Claimed, (typeof leasedColumns)[number]> {
  readonly position: number
}
type AnswerRow = { readonly [K in keyof Row]: Row[K] | null } & Pick<Row, 'position'>

/** What was stored, as of the commit of its transaction. */
export interface Stored {
  /** Deliveries that the worker of this process is to send. */
  readonly claims: readonly Claimed[]
  /** Subscriptions that have other new deliveries waiting. */
  readonly waiting: readonly number[]
  /** All subscriptions that got deliveries, by the indexes of events that they got. */
  readonly listeners: readonly { readonly index: number; readonly subscriptionId: number }[]
  /** Indexes of the events that were stored. */
  readonly accepted: ReadonlySet<number>
}

/** Stores events and their deliveries. @param offer room of the worker of this process. */
export const append = async (
  db: Db,
  now: Date,
  events: readonly NewEvent[],
  offer: readonly Want[],
): Promise<Stored> => {
  const { parameters, read } = prepare(now, events, offer)
  const { rows } = await db.executeQuery<AnswerRow>(CompiledQuery.raw(appendStatement, parameters))
  return read(rows)
}

/** The same for arrivals whose ids nobody has used yet; no two of them have the same. Waits for transactions that are about to take one. */
export const accept = async (
  db: Db,
  now: Date,
  arrivals: readonly Arrival[],
  offer: readonly Want[],
): Promise<Stored> => {
  const { parameters, read } = prepare(
    now,
    arrivals.map(({ event }) => event),
    offer,
  )
  const ids = [
    arrivals.map(({ userId }) => userId),
    arrivals.map(({ id }) => id),
    arrivals.map(({ contentHash }) => contentHash),
  ]
  const { rows } = await db.executeQuery<AnswerRow>(CompiledQuery.raw(acceptStatement, [...parameters, ...ids]))
  return read(rows)
}

const prepare = (now: Date, events: readonly NewEvent[], offer: readonly Want[]) => {
  const { token, leasedUntil } = makeLease(now)
  const bodies = events.map(({ type, data, occurredAt = now }) => standardBody(type, occurredAt, data))
  const traces = tracesOf(events)
  const parameters = [
    now,
    events.map(({ scope }) => scope),
    events.map(({ type }) => type),
    events.map(({ object }) => object.type),
    events.map(({ object }) => String(object.id)),
    bodies.join('\n'),
    offer.map(({ subscriptionId }) => subscriptionId),
    offer.map(({ limit }) => limit),
    token,
    leasedUntil,
    events.map(({ type }) => patternsOf(type)),
    traces,
  ]
  const toClaimed = ({ position, ...row }: Row): Claimed => {
    const body = bodies[position - 1] ?? ''
    const bodyBytes = Buffer.byteLength(body)
    return {
      ...row,
      token,
      attempt: 1,
      attemptsBefore: 0,
      lane: 0,
      status: 'pending',
      eventType: events[position - 1]?.type ?? '',
      contentType: null,
      isTest: false,
      body: bodyBytes <= maxClaimedBytes ? body : null,
      bodyBytes,
      nextTokenAt: null,
      traceparent: traces?.[position - 1] ?? null,
    }
  }
  const read = (rows: readonly AnswerRow[]): Stored => ({
    claims: rows.filter(isLeased).map(toClaimed),
    waiting: rows.flatMap(({ id, subscriptionId }) => (id === null && subscriptionId !== null ? [subscriptionId] : [])),
    listeners: rows.flatMap(({ position, subscriptionId }) =>
      subscriptionId === null ? [] : [{ index: position - 1, subscriptionId }],
    ),
    accepted: new Set(rows.flatMap(({ subscriptionId, position }) => (subscriptionId === null ? [position - 1] : []))),
  })
  return { parameters, read }
}

/** null when none has one. */
const tracesOf = (events: readonly NewEvent[]): readonly (string | null)[] | null => {
  const here = currentTraceparent() ?? null
  return here === null ? null : events.map(({ traceparent = here }) => traceparent)
}

const isLeased = (row: AnswerRow): row is Row => row.id !== null
