import { mask } from '#delivery/subscriber/mask.ts'
import type { RetryStrategy } from '#delivery/subscriber/retry.ts'
import { headerLines } from '#delivery/tables/header-lines.ts'
import { webhookIdOf } from '#delivery/tables/webhook-id.ts'
import { dayMs } from '#platform/clock.ts'
import type { RunScript } from '#platform/db/database.ts'
import { insertRows } from '../rows.ts'
import type { Chance } from './chance.ts'
import type { Behaviour } from './outcomes.ts'
import { playDelivery, type PlayedAttempt, type PlayedDelivery } from './play-delivery.ts'
import { makeTimeIds, type StoredEvent } from './write-events.ts'

/** What is known of the receivers, by their subscriptions. */
export interface Receivers {
  readonly behaviourOf: (subscriptionId: number) => Behaviour
  readonly offSince: (subscriptionId: number) => Date | undefined
}

interface Subscription {
  readonly id: number
  readonly dialect: string
  readonly envelope: string
  readonly retry: RetryStrategy
  readonly maxAttempts: number | null
  readonly isOrdered: boolean
}

interface Listener {
  readonly eventId: number
  readonly subscriptionId: number
}

/** Who listens to an event, as the outbox finds them. */
const listeners = `
  select distinct event.id as "eventId", subscription.id as "subscriptionId"
  from events event
  join subscription_events listening on listening.scope = event.scope and matches_pattern(event.type, pattern)
  join subscriptions subscription on subscription.id = subscription_id
  where event.addressee is null and (filter_path is null or fulfils(body::jsonb, filter, filter_path))
  union all
  select id, addressee from events where addressee is not null
  order by 1, 2`

const subscriptions = `
  select id, dialect, envelope, retry, max_attempts as "maxAttempts", is_ordered as "isOrdered" from subscriptions`

const usualMaxAttempts = 18

type Row = Readonly<Record<string, unknown>>

export interface DeliveriesContext {
  readonly run: RunScript
  readonly chance: Chance
  readonly now: Date
  readonly installationId: string
  readonly receivers: Receivers
}

/** Writes a delivery of each event to each who listens to it, with what became of it by now. @returns how many. */
export const writeDeliveries = async (context: DeliveriesContext, events: readonly StoredEvent[]): Promise<number> => {
  const { run } = context
  const byId = new Map(events.map((event) => [event.id, event]))
  const known = new Map(((await run(subscriptions)) as unknown as Subscription[]).map((one) => [one.id, one]))
  const deliveries: Row[] = []
  const attempts: Row[] = []
  const nextId = makeTimeIds()
  for (const { eventId, subscriptionId } of (await run(listeners)) as unknown as Listener[]) {
    const event = byId.get(eventId)
    const subscription = known.get(subscriptionId)
    if (event === undefined || subscription === undefined) throw new Error(`Event ${eventId} is not known.`)
    const id = nextId(event.at)
    const delivery = play(context, event, subscription)
    deliveries.push(deliveryRow(id, event, subscription, delivery))
    const head = headOf(context, event, subscription, id)
    for (const attempt of delivery.attempts) attempts.push(attemptRow(id, attempt, head))
  }
  await insertRows(run, 'deliveries', deliveries)
  await insertRows(run, 'attempts', attempts)
  // Of what failed lately the server makes reports when it runs, as it does of all failures.
  await run(
    `insert into unreported_failures (delivery_id, status, ended_at)
    select id, status, finished_at from deliveries where status = 'failed' and finished_at > $1`,
    [new Date(context.now.getTime() - dayMs)],
  )
  return deliveries.length
}

const play = (
  context: DeliveriesContext,
  { at }: StoredEvent,
  { id, retry, maxAttempts }: Subscription,
): PlayedDelivery => {
  const { behaviourOf, offSince } = context.receivers
  const since = offSince(id)
  const played = { behaviour: behaviourOf(id), retry, maxAttempts: maxAttempts ?? usualMaxAttempts }
  return playDelivery(at, since === undefined ? played : { ...played, offSince: since }, context)
}

const deliveryRow = (
  id: number,
  event: StoredEvent,
  subscription: Subscription,
  { status, attempts, nextAttemptAt, finishedAt }: PlayedDelivery,
): Row => {
  const last = attempts.at(-1)?.result
  return {
    id,
    event_id: event.id,
    subscription_id: subscription.id,
    envelope: subscription.envelope,
    status,
    attempts: attempts.length,
    attempts_before: 0,
    lane: status === 'pending' || attempts.length > 1 ? 1 : 0,
    next_attempt_at: nextAttemptAt,
    last_status: last?.status ?? null,
    last_reason: last?.reason ?? null,
    finished_at: finishedAt,
    event_type: event.type,
    object_type: event.objectType,
    object_id: event.objectId,
    sequence: subscription.isOrdered ? event.sequence : null,
  }
}

/** The headers of a delivery but its time, as the log keeps them. */
const headOf = (
  { installationId }: DeliveriesContext,
  { type, sequence, contentType }: StoredEvent,
  { dialect }: Subscription,
  id: number,
): Readonly<Record<string, string>> => ({
  'content-type': contentType ?? 'application/json',
  'user-agent': 'Waybill',
  'accept-encoding': 'identity',
  'webhook-id': webhookIdOf(id, installationId),
  ...(sequence !== null && { 'x-waybill-sequence': String(sequence) }),
  'webhook-signature': mask,
  ...(dialect === 'whisperer' && { 'x-whisperer-event': type, 'x-whisperer-signature': mask }),
})

const attemptRow = (
  deliveryId: number,
  { number, startedAt, outcome, nextAttemptAt, result }: PlayedAttempt,
  head: Readonly<Record<string, string>>,
): Row => ({
  delivery_id: deliveryId,
  number,
  started_at: startedAt,
  duration_ms: result.durationMs,
  outcome,
  reason: result.reason,
  detail: result.detail,
  response_status: result.status,
  request_headers: headerLines({ ...head, 'webhook-timestamp': String(Math.floor(startedAt.getTime() / 1_000)) }),
  response_headers: result.headers,
  response_body: result.body,
  address: '127.0.0.1',
  connect_ms: result.connectMs,
  first_byte_ms: result.firstByteMs,
  next_attempt_at: nextAttemptAt,
})
