import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { lockMissing } from './put-back.ts'
import {
  examinedInStep,
  idleWaitMs,
  queueFound,
  type Range,
  type StepResult,
  type Wanted,
  type Window,
} from './redelivery-step.ts'
import { getsEvent } from '../subscriber/matching.ts'
import type { Redelivery } from './redelivery-store.ts'
import { idsPerMs } from '../tables/time-id.ts'

/**
 * One step of a recovery: events that are for the subscription, oldest first. One without a delivery gets it; one whose
 * delivery is held, failed or cancelled has it put back. The job waits while the subscription is switched off, and ends
 * when it is removed.
 * @param settleMs an id is taken before its transaction commits, so younger events than this are left to a later step.
 */
export const recoverStep = async (tx: Tx, job: Redelivery, now: Date, settleMs: number): Promise<StepResult> => {
  const { subscriptionId, position, perSecond } = job
  const state = subscriptionId === null ? undefined : await findState(tx, subscriptionId)
  if (subscriptionId === null || state === undefined || state.deletedAt !== null)
    return { position, queued: [], status: 'cancelled', waitMs: 0 }
  if (!state.isActive) return { position, queued: [], status: 'running', waitMs: idleWaitMs }

  await lockMissing(tx, [subscriptionId])
  const window = await windowOf(tx, { ...job, max: examinedInStep }, settleMs)
  const lastAtStart = job.last - settleMs * idsPerMs
  const onlyMissing = job.filter.onlyMissing
  const found = await findWanted(tx, { subscriptionId, onlyMissing, window, lastAtStart, limit: perSecond })
  return queueFound(tx, job, { window, found, isStill: isOpen }, now)
}

const openStatuses = ['held', 'failed', 'cancelled'] as const
const isOpen = (status: string): boolean => (openStatuses as readonly string[]).includes(status)

const findState = (tx: Tx, id: number) =>
  tx.selectFrom('subscriptions').select(['isActive', 'deletedAt']).where('id', '=', id).executeTakeFirst()

/** The next `max` events, of whatever kind, up to `last` and to what may not have committed yet. */
export const windowOf = async (tx: Tx, { position, last, max }: Range, settleMs: number): Promise<Window> => {
  const { rows } = await sql<{ horizon: number; edge: number | null }>`
    select horizon, (
      select id from events where id > ${position}::bigint and id <= horizon order by id offset ${max - 1} limit 1
    ) as edge
    from (
      -- The millisecond that has just begun belongs to it.
      select least(${last}::bigint, time_id_floor(clock_timestamp()) + ${(1 - settleMs) * idsPerMs}::bigint) as horizon
    ) bound`.execute(tx)
  const [{ horizon, edge } = { horizon: position, edge: null }] = rows
  return { start: position, end: Math.max(edge ?? horizon, position), isFull: edge !== null }
}

interface Search {
  readonly subscriptionId: number
  readonly window: Window
  /** Events above this id are younger than the job: what failed of them was no part of what it was asked for. */
  readonly lastAtStart: number
  readonly limit: number
  /** Only events without any delivery. */
  readonly onlyMissing?: boolean | undefined
}

/** Events of the window that are for the subscription and have nothing delivered or due, the oldest first. */
export const findWanted = async (
  tx: Tx,
  { subscriptionId, window, lastAtStart, limit, onlyMissing = false }: Search,
): Promise<Wanted[]> => {
  const { rows } = await sql<Wanted>`
    select event.id as key, delivery.id as delivery_id, delivery.status
    from events event
    join subscriptions subscription on subscription.id = ${subscriptionId}
    left join deliveries delivery on delivery.event_id = event.id
      -- An expression, so that nobody goes through all deliveries of the subscription to find those of an event.
      and delivery.subscription_id + 0 = ${subscriptionId} and delivery.id >= ${firstDeliveryOf(window)}::bigint
    where event.id > ${window.start}::bigint and event.id <= ${window.end}::bigint
      and ${sql.raw(getsEvent)}
      and (delivery.id is null or not ${onlyMissing}::boolean and delivery.status = any(${[...openStatuses]}::text[]) and last_reason is distinct from 'dropped')
      and (event.id <= ${lastAtStart}::bigint or delivery.status is distinct from 'failed')
    order by event.id
    limit ${limit}`.execute(tx)
  return rows
}

/** A delivery is made together with its event or later. Counters are not shared, and a clock can be set back a little. */
export const firstDeliveryOf = ({ start }: Window): number => start - clockSlackMs * idsPerMs
const clockSlackMs = 3_600_000
