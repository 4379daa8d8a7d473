import { timeOfId } from '#delivery/tables/time-id.ts'
import type { Entry } from '#platform/http/event-streams/event-ring.ts'
import { toObjectId } from '#platform/object-ids.ts'
import { rules, type Audience } from './audience.ts'
import { maxRows, type BusyRows, type BuyersRow, type OtherRows, type ReceiverRow } from './tail-store.ts'

export const topics = [
  ...(['delivery', 'event', 'subscription', 'error_report'] as const),
  ...(['redelivery', 'export', 'quotation', 'order', 'mail'] as const),
] as const
export type Topic = (typeof topics)[number]

type Change = Entry<Audience>['changes'][number]

/** Changes of one topic, each with the name of what has changed. */
export interface Found extends Entry<Audience> {
  readonly changes: readonly (Change & { readonly of: number | string })[]
}

/** Writes what changed for those who watch: ids, and the few facts that a row of a list needs. */
export const busyChanges = ({ events, deliveries }: BusyRows): Found[] => [
  entry('event', events, (row) => ({
    item: {
      id: row.id,
      type: row.type,
      object_type: row.object_type,
      object_id: row.object_id,
      project: projectOf(row.scope),
      time: timeText(row.occurred_at),
    },
    audience: audienceOfEvent(row),
  })),
  entry('delivery', deliveries, (row) => ({
    item: {
      id: row.webhook_id === null ? row.id : toObjectId(row.id),
      receiver: receiverOf(row),
      event_type: row.event_type,
      object_type: row.object_type,
      object_id: row.object_id,
      status: row.status,
      attempt: row.number ?? 0,
      http_status: row.response_status,
      reason: row.reason,
      duration_ms: row.duration_ms,
      time: row.started_at === null ? timeOfId(row.id).toISOString() : timeText(row.started_at, row.duration_ms ?? 0),
    },
    audience: audienceOfReceiver(row),
  })),
]

export const otherChanges = (rows: OtherRows): Found[] => [
  entry('subscription', rows.subscriptions, (row) => ({
    item: {
      receiver: receiverOf(row),
      health: row.health,
      is_active: row.is_active,
      disabled_reason: row.disabled_reason,
      is_removed: row.is_removed,
    },
    audience: audienceOfReceiver(row),
  })),
  entry('error_report', rows.groups, ({ id: group, state, count, open_count, assignee, last_seen_at: seen }) => ({
    item: { group, state, count, open_count, assignee, last_seen: timeText(seen) },
    audience: { kind: 'everyone', rule: rules.errorReports },
  })),
  entry('redelivery', rows.redeliveries, ({ id, kind, subscription_id: hook, status, queued, total, ...row }) => ({
    item: { id, kind, hook, status, queued, total },
    audience: { kind: 'owners', rule: rules.hooks, userIds: [row.requested_by, row.hook_owner] },
  })),
  entry('export', rows.exports, (row) => ({
    item: {
      status_cache_key: row.cache_key,
      quotation: row.quotation_id,
      format: row.format,
      status: row.status,
      rows_done: row.rows_done,
      rows_total: row.rows_total,
    },
    audience: { kind: 'user', rule: rules.quotations, userId: row.user_id },
  })),
  entry('quotation', rows.quotations, ({ id, status, version, revision, ...row }) => ({
    item: { id, status, version, revision },
    audience: buyersOf(row),
  })),
  entry('order', rows.orders, ({ id, quotation_id: quotation, status, ...row }) => ({
    item: { id, quotation, status },
    audience: buyersOf(row),
  })),
  entry('mail', rows.mails, ({ id, purpose, status }) => ({
    item: { id, purpose, status },
    audience: { kind: 'everyone', rule: rules.mails },
  })),
]

/** The newest come first from the database, and last to those who watch. */
const entry = <Row extends { readonly id: number }>(
  topic: Topic,
  rows: readonly Row[],
  toChange: (row: Row) => Change,
): Found => ({
  topic,
  changes: rows.map((row) => ({ of: row.id, ...toChange(row) })).toReversed(),
  isCut: rows.length >= maxRows,
})

const timeText = (time: string, laterMs = 0): string => new Date(new Date(time).getTime() + laterMs).toISOString()

const projectOf = (scope: string): string | null =>
  scope.startsWith(projectScope) ? scope.slice(projectScope.length) : null
const projectScope = 'project:'

/** A subscription as its API knows it. */
const receiverOf = ({ subscription_id: id, flow_id: flow, webhook_id: webhook, ...row }: ReceiverRow): object => {
  if (webhook !== null)
    return { kind: 'project_webhook', id: webhook, project: row.project_id, organization: row.organization_id }
  return flow === null ? { kind: 'hook', id } : { kind: 'flow', id: flow }
}

const audienceOfReceiver = (row: ReceiverRow): Audience => {
  if (row.webhook_id !== null) return { kind: 'organization', id: row.organization_id }
  if (row.flow_id !== null) return { kind: 'everyone', rule: rules.flows }
  return { kind: 'owners', rule: rules.hooks, userIds: [row.hook_owner] }
}

/** Buyers of a quotation, and staff. */
const buyersOf = ({ user_id: userId, root_division_id: rootDivisionId }: BuyersRow): Audience => ({
  kind: 'quotation',
  userId,
  rootDivisionId,
})

const audienceOfEvent = ({ scope, object_type: about, ...row }: BusyRows['events'][number]): Audience => {
  if (projectOf(scope) !== null) return { kind: 'organization', id: row.organization_id }
  if (about === 'webhook') return { kind: 'owners', rule: rules.hooks, userIds: [row.hook_owner] }
  if (row.is_internal === true) return { kind: 'everyone', rule: rules.quotations }
  if (about === 'quotation')
    return { kind: 'quotation', userId: row.quotation_owner, rootDivisionId: row.quotation_root }
  return { kind: 'everyone', rule: rules.orderManagement }
}
