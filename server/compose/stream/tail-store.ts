import { sql, type RawBuilder } from 'kysely'
import { firstIdOf } from '#delivery/tables/time-id.ts'
import type { Db } from '#platform/db/database.ts'
import { lookColumns, readLook, type Look, type LookRow, type Looks } from '#platform/db/new-rows.ts'

/** Rows of one kind that are read in one look; of more, the newest. */
export const maxRows = 500
/** Tables without an index by the time of a change are looked at so far back, by id or by the time somebody saw it last. */
const maxLookedAt = 2_000

/** What a subscription is, and whose. */
export interface ReceiverRow {
  readonly subscription_id: number
  /** The user whose hook it is. */
  readonly hook_owner: number | null
  readonly webhook_id: string | null
  readonly project_id: string | null
  readonly organization_id: string | null
  readonly flow_id: number | null
}
const receiverColumns = sql`hooks.user_id as hook_owner, project_webhooks.id as webhook_id, project_webhooks.project_id,
  projects.organization_id, flows.id as flow_id`
const joinReceiver = (subscriptionId: string): RawBuilder<unknown> => sql`
  left join hooks on hooks.subscription_id = ${sql.ref(subscriptionId)}
  left join project_webhooks on project_webhooks.subscription_id = ${sql.ref(subscriptionId)}
  left join projects on projects.id = project_webhooks.project_id
  left join flows on flows.subscription_id = ${sql.ref(subscriptionId)}`

export interface EventRow {
  readonly id: number
  readonly type: string
  readonly scope: string
  readonly object_type: string | null
  readonly object_id: string | null
  readonly occurred_at: string
  readonly organization_id: string | null
  readonly quotation_owner: number | null
  readonly quotation_root: number | null
  /** A comment that only the back office reads. */
  readonly is_internal: boolean | null
  readonly hook_owner: number | null
}
/** Events that name their addressee are somebody's data or a test, and stand in the log of deliveries alone. */
const newEvents = (looks: Looks) => sql`
  select events.id, events.type, events.scope, events.object_type, events.object_id, events.occurred_at, projects.organization_id,
    quotations.user_id as quotation_owner, divisions.root as quotation_root, hooks.user_id as hook_owner,
    case when events.type = 'quotation.commented' then (events.body::json #>> '{data,internal}')::boolean end as is_internal
  from events
  left join projects on projects.id = case when events.scope like 'project:%' then substr(events.scope, 9) end
  left join quotations on quotations.id = case when events.object_type = 'quotation' then ${objectNumber} end
  left join divisions on divisions.id = quotations.division_id
  left join hooks on hooks.subscription_id = case when events.object_type = 'webhook' then ${objectNumber} end
  where events.id > ${firstIdOf(looks.since)} and events.addressee is null and ${looks.isNew('events')}
  order by events.id desc limit ${maxRows}`
const objectNumber = sql`case when events.object_id ~ '^\\d{1,18}$' then events.object_id::bigint end`

export interface DeliveryRow extends ReceiverRow {
  readonly id: number
  readonly status: string
  readonly event_type: string | null
  readonly object_type: string | null
  readonly object_id: string | null
  /** Of the last attempt that has ended. */
  readonly number: number | null
  readonly response_status: number | null
  readonly reason: string | null
  readonly duration_ms: number | null
  readonly started_at: string | null
}
/** What is new by its id; and `written`, however old, of which an attempt has ended. */
const changedDeliveries = (looks: Looks, written: readonly number[]) => sql`
  select deliveries.id, deliveries.subscription_id, deliveries.status, deliveries.event_type,
    deliveries.object_type, deliveries.object_id,
    last.number, last.response_status, last.reason, last.duration_ms, last.started_at, ${receiverColumns}
  from (
    (select id from deliveries where id > ${firstIdOf(looks.since)} and ${looks.isNew('deliveries')} order by id desc limit ${maxRows})
    union select unnest(${[...written]}::bigint[])
  ) as changed
  join deliveries on deliveries.id = changed.id
  left join lateral (
    select number, response_status, reason, duration_ms, started_at from attempts
    where delivery_id = deliveries.id and duration_ms is not null order by number desc limit 1
  ) as last on true
  ${joinReceiver('deliveries.subscription_id')}
  order by deliveries.id desc limit ${maxRows}`

export interface SubscriptionRow extends ReceiverRow {
  readonly id: number
  readonly health: string
  readonly is_active: boolean
  readonly disabled_reason: string | null
  readonly is_removed: boolean
}
const changedSubscriptions = (looks: Looks) => sql`
  select subscriptions.id, subscriptions.id as subscription_id, subscriptions.health, subscriptions.is_active,
    subscriptions.disabled_reason,
    subscriptions.deleted_at is not null as is_removed, ${receiverColumns}
  from subscriptions ${joinReceiver('subscriptions.id')}
  where ${looks.isNew('subscriptions')} limit ${maxRows}`

export interface GroupRow {
  readonly id: number
  readonly state: string
  readonly count: number
  readonly open_count: number
  readonly assignee: number | null
  readonly last_seen_at: string
}
const changedGroups = (looks: Looks) => sql`
  select id, state, count, open_count, assignee, last_seen_at
  from (select *, xmin from error_report_groups order by last_seen_at desc, id desc limit ${maxLookedAt}) as seen
  where ${looks.isNew('seen')} limit ${maxRows}`

export interface RedeliveryRow {
  readonly id: number
  readonly kind: string
  readonly subscription_id: number | null
  readonly status: string
  readonly queued: number
  readonly total: number
  readonly requested_by: number | null
  readonly hook_owner: number | null
}
const changedRedeliveries = (looks: Looks) => sql`
  select redeliveries.id, redeliveries.kind, redeliveries.subscription_id, redeliveries.status, redeliveries.queued,
    redeliveries.total, redeliveries.requested_by, hooks.user_id as hook_owner
  from redeliveries left join hooks on hooks.subscription_id = redeliveries.subscription_id
  where ${looks.isNew('redeliveries')} limit ${maxRows}`

export interface ExportRow {
  readonly id: number
  readonly user_id: number
  readonly cache_key: string
  readonly quotation_id: number | null
  readonly format: string
  readonly status: string
  readonly rows_done: number
  readonly rows_total: number | null
}
/** All that are kept are of the last day. */
const changedExports = (looks: Looks) => sql`
  select id, user_id, cache_key, quotation_id, format, status, rows_done, rows_total
  from exports where ${looks.isNew('exports')} limit ${maxRows}`

/** Whose a quotation is. */
export interface BuyersRow {
  readonly user_id: number
  readonly root_division_id: number
}
/** Times of quotations and orders are those of the processes that write them, not of the database. */
const maxSkewMs = 60_000
const changedSince = (looks: Looks): Date => new Date(looks.since.getTime() - maxSkewMs)

export interface QuotationRow extends BuyersRow {
  readonly id: number
  readonly status: string
  readonly version: number
  readonly revision: number
}
/** Edits of a draft raise no event, and two may have it open. */
const changedQuotations = (looks: Looks) => sql`
  select id, status, version, revision, user_id, root_division_id from quotations
  where modified_at > ${changedSince(looks)} and ${looks.isNew('quotations')} limit ${maxRows}`

export interface OrderRow extends BuyersRow {
  readonly id: number
  readonly quotation_id: number
  readonly status: string
}
const changedOrders = (looks: Looks) => sql`
  select changed.*, quotations.user_id, quotations.root_division_id
  from (
    select id, quotation_id, status from quotation_orders
    where modified_at > ${changedSince(looks)} and ${looks.isNew('quotation_orders')} limit ${maxRows}
  ) as changed join quotations on quotations.id = changed.quotation_id`

export interface MailRow {
  readonly id: number
  readonly purpose: string
  readonly status: string
}
const changedMails = (looks: Looks) => sql`
  select id, purpose, status from mails
  where (id > (select max(id) from mails) - ${maxLookedAt} or status = 'waiting') and ${looks.isNew('mails')}
  limit ${maxRows}`

export interface BusyRows {
  readonly events: readonly EventRow[]
  readonly deliveries: readonly DeliveryRow[]
}
export interface OtherRows {
  readonly subscriptions: readonly SubscriptionRow[]
  readonly groups: readonly GroupRow[]
  readonly redeliveries: readonly RedeliveryRow[]
  readonly exports: readonly ExportRow[]
  readonly quotations: readonly QuotationRow[]
  readonly orders: readonly OrderRow[]
  readonly mails: readonly MailRow[]
}

/** What is happening all the time. @param written deliveries of which an attempt was written. */
export const readBusy = (db: Db, looks: Looks, written: readonly number[]): Promise<BusyRows & { look: Look }> =>
  read<BusyRows>(db, { events: newEvents(looks), deliveries: changedDeliveries(looks, written) })

/** What changes now and then. */
export const readOthers = (db: Db, looks: Looks): Promise<OtherRows & { look: Look }> =>
  read<OtherRows>(db, {
    subscriptions: changedSubscriptions(looks),
    groups: changedGroups(looks),
    redeliveries: changedRedeliveries(looks),
    exports: changedExports(looks),
    quotations: changedQuotations(looks),
    orders: changedOrders(looks),
    mails: changedMails(looks),
  })

/** A look that reads nothing: what comes after it is new. */
export const lookFirst = async (db: Db): Promise<Look> => (await read<object>(db, {})).look

/** One statement, so that all of it is of one snapshot. */
const read = async <Rows extends object>(
  db: Db,
  parts: Readonly<Record<keyof Rows & string, RawBuilder<unknown>>>,
): Promise<Rows & { look: Look }> => {
  const lists = Object.entries<RawBuilder<unknown>>(parts).map(
    ([name, part]) => sql`(select coalesce(json_agg(found), '[]') from (${part}) as found) as ${sql.id(name)}`,
  )
  const { rows } = await sql<Rows & LookRow>`select ${sql.join([lookColumns, ...lists])}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('A look at what is new has no answer.')
  return { ...row, look: readLook(row) }
}

/** The organizations of each of these users. */
export const membershipsOf = async (
  db: Db,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, ReadonlySet<string>>> => {
  const { rows } = await sql<{ userId: number; organizations: string[] }>`
    select user_id, array_agg(organization_id) as organizations from organization_members
    where user_id = any(${[...userIds]}::bigint[]) group by user_id`.execute(db)
  return new Map(rows.map(({ userId, organizations }) => [userId, new Set(organizations)]))
}
