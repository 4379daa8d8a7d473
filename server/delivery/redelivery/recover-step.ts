import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { lockDeliveries, lockMissing, putBack, queueMissing } from './put-back.ts'
import { doableOf, examinedInStep, idleWaitMs, waitAfter, type StepResult, type Window } from './redelivery-step.ts'
import type { Redelivery } from './redelivery-store.ts'
import { idsPerMs } from '../tables/time-id.ts'

/**
 * One step of a recovery: events that are for the subscription, oldest first. One without a delivery
 * gets it; one whose delivery is held, failed or cancelled has it put back; the others are left alone.
 * While the subscription is switched off the job waits, and when it is removed the job ends.
 * @param settleMs an id is taken before its transaction commits, so younger events than this are left to a later step.
 */
export const recoverStep = async (tx: Tx, job: Redelivery, now: Date, settleMs: number): Promise<StepResult> => {
  const { subscriptionId, position, last, perSecond } = job
  const still = { position, queued: [] }
  const state = subscriptionId === null ? undefined : await findState(tx, subscriptionId)
  if (subscriptionId === null || state === undefined || state.deletedAt !== null)
    return { ...still, status: 'cancelled', waitMs: 0 }
  if (!state.isActive) return { ...still, status: 'running', waitMs: idleWaitMs }

  await lockMissing(tx, [subscriptionId])
  const window = await windowOf(tx, { position, last, most: examinedInStep, settleMs })
  const found = await findWanted(tx, { subscriptionId, window, limit: perSecond })
  const existing = found.flatMap(({ deliveryId }) => deliveryId ?? [])
  const locked = await lockDeliveries(tx, existing, now)
  // A full step ends at its last event; the rest of the window is for the next one.
  const end = found.length < perSecond ? window.end : (found.at(-1)?.key ?? window.end)
  const { doable, position: reached } = doableOf(found, locked, end)

  // Between the search and the lock, an attempt by hand may have ended well.
  const wanted = new Set(doable.map(({ deliveryId }) => deliveryId))
  const again = locked.filter(({ id, status }) => wanted.has(id) && isOpen(status))
  const missing = doable.flatMap(({ key, deliveryId }) => (deliveryId === null ? { eventId: key, subscriptionId } : []))
  const queued = [...(await putBack(tx, again, now)), ...missing]
  await queueMissing(tx, missing, now)
  return {
    position: reached,
    queued: queued.map(() => subscriptionId),
    status: reached >= last ? 'done' : 'running',
    waitMs: waitAfter(window, found.length),
  }
}

const openStatuses = ['held', 'failed', 'cancelled'] as const
const isOpen = (status: string): boolean => (openStatuses as readonly string[]).includes(status)

const findState = (tx: Tx, id: number) =>
  tx.selectFrom('subscriptions').select(['isActive', 'deletedAt']).where('id', '=', id).executeTakeFirst()

interface Range {
  readonly position: number
  readonly last: number
  readonly most: number
  readonly settleMs: number
}

/** The next `most` events, of whatever kind, up to `last` and to what may not have committed yet. */
export const windowOf = async (tx: Tx, { position, last, most, settleMs }: Range): Promise<Window> => {
  const { rows } = await sql<{ horizon: number; edge: number | null }>`
    select horizon, (
      select id from events where id > ${position}::bigint and id <= horizon order by id offset ${most - 1} limit 1
    ) as edge
    from (
      -- The millisecond that has just begun belongs to it.
      select least(${last}::bigint, time_id_floor(clock_timestamp()) + ${(1 - settleMs) * idsPerMs}::bigint) as horizon
    ) bound`.execute(tx)
  const [{ horizon, edge } = { horizon: position, edge: null }] = rows
  return { start: position, end: Math.max(edge ?? horizon, position), isFull: edge !== null }
}

interface Wanted {
  /** Id of the event. */
  readonly key: number
  readonly deliveryId: number | null
}

interface Search {
  readonly subscriptionId: number
  readonly window: Window
  readonly limit: number
}

/** Who of all that listen is the subscription; `listeningOrAddressed` is the condition that goes with it. */
export const listeningOf = (subscriptionId: number) => sql`
  left join subscription_events listening on event.addressee is null and listening.subscription_id = ${subscriptionId}
    and listening.scope = event.scope and listening.event_type = event.type`

/**
 * Whether an event is for the subscription: it listens to it, or it was sent to it alone. As two queries with a `union` it
 * would take eight times as long: the events of a window could not be read in order up to a limit.
 */
export const listeningOrAddressed = (subscriptionId: number) =>
  sql`(listening.subscription_id is not null or event.addressee = ${subscriptionId})`

/** Events of the window that are for the subscription and have nothing delivered or due, the oldest first. */
export const findWanted = async (tx: Tx, { subscriptionId, window, limit }: Search): Promise<Wanted[]> => {
  const { rows } = await sql<Wanted>`
    select event.id as key, delivery.id as delivery_id
    from events event ${listeningOf(subscriptionId)}
    left join deliveries delivery on delivery.event_id = event.id
      -- An expression, so that nobody goes through all deliveries of the subscription to find those of an event.
      and delivery.subscription_id + 0 = ${subscriptionId} and delivery.id >= ${firstDeliveryOf(window)}::bigint
    where event.id > ${window.start}::bigint and event.id <= ${window.end}::bigint
      and ${listeningOrAddressed(subscriptionId)}
      and (delivery.id is null or delivery.status = any(${[...openStatuses]}::text[]))
    order by event.id
    limit ${limit}`.execute(tx)
  return rows
}

/** A delivery is made together with its event or later. Counters are not shared, and a clock can be set back a little. */
export const firstDeliveryOf = ({ start }: Window): number => start - clockSlackMs * idsPerMs
const clockSlackMs = 3_600_000
