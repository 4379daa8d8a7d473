import { CompiledQuery } from 'kysely'
import type { EventData, EventType } from '#events/catalogue.ts'
import type { ContentType } from '#events/content-types.ts'
import type { Clock } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { prepared } from '#platform/db/prepared.ts'
import { afterCommit } from '#platform/db/transaction.ts'
import { bodyOf, type Message } from './message.ts'
import { sendMessage } from './send-message.ts'

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
  }
}[T]

/** Where domains say what happened. Only inside the transaction that made it happen. */
export interface Outbox {
  /**
   * Stores the events and one delivery for every active subscription that matches, all with `tx`: when
   * it commits, nothing more has to happen for each to be delivered. For one that the engine itself
   * switched off it is kept as `held`. Numbers the events of each object.
   */
  append(tx: Tx, events: readonly NewEvent[]): Promise<void>
  /**
   * Stores a message and its delivery to one subscription, whatever that listens to; nobody else ever gets it. For one
   * that the engine itself switched off it is kept as `held`. Numbers the events of its object, as `append` does.
   * @returns the id of the delivery; undefined, with nothing stored, when somebody switched the subscription off or removed it.
   * @throws TypeError when content cannot be sent, see message.ts.
   */
  send(tx: Tx, subscriptionId: number, message: Message): Promise<number | undefined>
}

/**
 * One statement for any number of events. Each object's counter row is locked until the transaction
 * ends, so the numbers of one object follow the order of commits and have no gaps.
 *
 * Bodies come as lines of one text, since JSON has no line break that is not escaped: nothing has to be
 * quoted a second time here, or parsed there.
 */
const appendStatement = prepared(`
  with input as (
    select * from rows from (
      unnest($2::text[]), unnest($3::text[]), unnest($4::text[]), unnest($5::text[]), string_to_table($6, E'\\n')
    ) with ordinality as entry (scope, type, object_type, object_id, body, position)
  ),
  counters as (
    insert into object_sequences as counter (object_type, object_id, last)
    select object_type, object_id, count(*) from input group by object_type, object_id order by object_type, object_id
    on conflict (object_type, object_id) do update set last = counter.last + excluded.last
    returning object_type, object_id, last
  ),
  numbered as (
    select input.*, counters.last
             - count(*) over (partition by object_type, object_id)
             + row_number() over (partition by object_type, object_id order by position) as sequence
    from input join counters using (object_type, object_id)
  ),
  appended as (
    insert into events (scope, type, occurred_at, object_type, object_id, sequence, body)
    select scope, type, $1, object_type, object_id, sequence, body from numbered order by position
    returning id, scope, type, object_type, object_id
  ),
  queued as (
    insert into deliveries (event_id, subscription_id, next_attempt_at, status, event_type, object_type, object_id)
    select appended.id, subscription.id, $1, case when subscription.is_active then 'pending' else 'held' end,
           appended.type, object_type, object_id
    from appended
    join subscription_events listening on listening.scope = appended.scope and listening.event_type = appended.type
    join subscriptions subscription on subscription.id = listening.subscription_id
      and (subscription.is_active or subscription.disabled_reason in ('failing', 'gone'))
    order by appended.id
    returning subscription_id, status
  )
  select distinct subscription_id as "subscriptionId" from queued where status = 'pending'`)

export const makeOutbox = ({
  clock,
  wake,
}: {
  clock: Clock
  wake: (subscriptionIds: readonly number[]) => void
}): Outbox => ({
  async append(tx, events) {
    if (events.length === 0) return
    const now = clock.now()
    const parameters = [
      now,
      events.map(({ scope }) => scope),
      events.map(({ type }) => type),
      events.map(({ object }) => object.type),
      events.map(({ object }) => String(object.id)),
      events.map(({ type, data, occurredAt = now }) => bodyOf(type, occurredAt, data)).join('\n'),
    ]
    const statement = CompiledQuery.raw(appendStatement, parameters)
    const { rows } = await tx.executeQuery<{ subscriptionId: number }>(statement)
    if (rows.length > 0) afterCommit(tx, () => wake(rows.map(({ subscriptionId }) => subscriptionId)))
  },

  async send(tx, subscriptionId, message) {
    const sent = await sendMessage(tx, subscriptionId, message, clock.now())
    if (sent?.status === 'pending') afterCommit(tx, () => wake([subscriptionId]))
    return sent?.id
  },
})
