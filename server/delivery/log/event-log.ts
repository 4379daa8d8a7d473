import { sql, type RawBuilder, type Selectable } from 'kysely'
import { Type } from 'typebox'
import type { Db, Tables } from '#platform/db/database.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { custom, equals, time } from '#platform/lists/filters.ts'
import { mapRows, type Page, type Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import type { DeliveryStatus } from '../tables/tables.ts'
import { firstIdOf, timeOfId } from '../tables/time-id.ts'

const columns = ['id', 'type', 'objectType', 'objectId', 'sequence', 'occurredAt', 'isTest'] as const
type Columns = Readonly<Pick<Selectable<Tables['events']>, (typeof columns)[number]>>

/** Something that happened, whoever was told of it. */
export interface LoggedEvent extends Columns {
  readonly createdAt: Date
}

/** Who reads: the subscriptions that are theirs, or everybody's. */
export interface EventReader {
  readonly scope: string
  readonly subscriptionIds: readonly number[]
  /** Of those that name no addressee: a condition on columns of events. */
  readonly open: RawBuilder<boolean>
  readonly seesAll: boolean
}

/** @param typeOf the name of an event that a text of the query means. */
export const makeEventList = (typeOf: (text: string) => string) =>
  defineList({
    key: 'events.id',
    count: 'bounded',
    orderings: { created_date: 'events.id' },
    defaultOrdering: '-created_date',
    filters: {
      type: custom(
        Type.String({ description: 'With dots or hyphens.' }),
        (text) => sql<boolean>`events.type = ${typeOf(text)}`,
      ),
      object_type: equals('events.objectType', Type.String()),
      object_id: equals('events.objectId', Type.String()),
      created_date: time('events.id', 'Raised', {
        dates: 'beginnings',
        condition: ({ from, before }) => {
          const bounds = [
            ...(from === undefined ? [] : [sql<boolean>`events.id >= ${firstIdOf(from)}::bigint`]),
            ...(before === undefined ? [] : [sql<boolean>`events.id < ${firstIdOf(before)}::bigint`]),
          ]
          return sql<boolean>`(${sql.join(bounds, sql` and `)})`
        },
      }),
    },
  })
type EventList = ReturnType<typeof makeEventList>

/** What was sent to one alone, and what is not open to the reader, is for those who got it. */
const visible = ({ scope, subscriptionIds, open, seesAll }: EventReader): RawBuilder<boolean> => {
  const isForAll = sql`events.addressee is null and ${open}`
  const isTheirs = sql`exists (
    select from deliveries where event_id = events.id and subscription_id = any(${[...subscriptionIds]}::bigint[]))`
  return sql<boolean>`(events.scope = ${scope} and (${seesAll}::boolean or ${isForAll} or ${isTheirs}))`
}

const eventsOf = (db: Db, reader: EventReader) =>
  db
    .selectFrom('events')
    .select(columns.map((column) => `events.${column}` as const))
    .where(visible(reader))

const withTime = <E extends Columns>(event: E) => ({ ...event, createdAt: timeOfId(event.id) })

/** A page of events, the newest first. */
export const listEvents = async (
  db: Db,
  list: EventList,
  reader: EventReader,
  query: Page & { readonly ordering?: string },
): Promise<Rows<LoggedEvent>> => mapRows(await readList(db, list, query, eventsOf(db, reader)), withTime)

/** One event with what is stored of it. */
export const findEvent = async (db: Db, reader: EventReader, id: number) => {
  const row = await eventsOf(db, reader).select('events.body').where('events.id', '=', id).executeTakeFirst()
  return row && withTime(row)
}

/** A subscription with its delivery of an event, if it has one. */
export interface EventReceiver {
  readonly subscriptionId: number
  readonly deliveryId: number | null
  readonly status: DeliveryStatus | null
}

/** Those that have a delivery first, and of the others those that listen to its type now. @returns so many, and how many are left out. */
export const findReceivers = async (
  db: Db,
  eventId: number,
  subscriptionIds: readonly number[],
  max: { readonly delivered: number; readonly absent: number },
): Promise<{ readonly receivers: readonly EventReceiver[]; readonly leftOut: number }> => {
  const { rows } = await sql<EventReceiver>`
    select subscription.id as subscription_id, delivery.id as delivery_id, delivery.status
    from events event
    join subscriptions subscription on subscription.id = any(${[...subscriptionIds]}::bigint[])
    left join lateral (
      select id, status from deliveries where event_id = event.id and subscription_id + 0 = subscription.id order by id desc limit 1
    ) delivery on true
    where event.id = ${eventId}::bigint
    order by delivery.id is null,
      not exists (
        select from subscription_events listening
        where listening.subscription_id = subscription.id and matches_pattern(event.type, listening.pattern)),
      subscription.id`.execute(db)
  const delivered = rows.filter(({ deliveryId }) => deliveryId !== null)
  const receivers = [
    ...delivered.slice(0, max.delivered),
    ...rows.slice(delivered.length, delivered.length + max.absent),
  ]
  return { receivers, leftOut: rows.length - receivers.length }
}
