import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { isOneOf } from '../queue/claim.ts'
import { giveMissingHeads, lockQueues, type ObjectQueue } from './object-queues.ts'

/**
 * Switching order on puts the open deliveries of the subscription in the queues of their objects, a thousand in each
 * transaction, while `ordering_since` keeps all of them from being sent. New events join the queues at once: one that came
 * first to its queue makes room when an earlier delivery follows.
 *
 * First come to an end the transactions that may have read the subscription without order, and may still store, claim or
 * dissolve something. Then walks go through what is held and what is pending, until one finds everything in order: attempts
 * under way are left alone until they have ended, or their leases have.
 *
 * Where a walk has come is known to its process alone. When that dies, another one begins anew, and finds less to do.
 */
interface Walk {
  readonly since: number
  /** Transactions that have to end before it, as `pg_locks` names them. */
  earlier: ReadonlySet<string>
  position: Position
  hasFound: boolean
}

/** The delivery that was looked at last. */
interface Position {
  readonly status: 'held' | 'pending'
  readonly id: number
  readonly lane: number
  /** As text, because it may be infinite and has microseconds. */
  readonly nextAttemptAt: string
}

const before = { id: 0, lane: 0, nextAttemptAt: '-infinity' }
const firstHeld: Position = { status: 'held', ...before }
const firstPending: Position = { status: 'pending', ...before }

/** Deliveries that one transaction looks at: 0.05 s, in which an embedded database does nothing else. */
const usuallyAtOnce = 1_000

/** A subscription that is being put in order: what comes next, or that order has begun. */
export interface OrderStep {
  readonly id: number
  readonly next: 'step' | 'wait' | 'begun'
}

/** Makes a step for each subscription that is being put in order. Any number of processes may: a lock gives each step to one. */
export const makeStartOrder = (db: Db, maxAtOnce = usuallyAtOnce): ((now: Date) => Promise<readonly OrderStep[]>) => {
  const walks = new Map<number, Walk>()

  const nextOf = async (id: number, since: number, now: Date): Promise<OrderStep['next']> => {
    let walk = walks.get(id)
    if (walk?.since !== since) walk = { since, earlier: await writers(db), position: firstHeld, hasFound: false }
    walks.set(id, walk)
    if (walk.earlier.size > 0) walk.earlier = walk.earlier.intersection(await writers(db))
    if (walk.earlier.size > 0) return 'wait'
    const { position } = walk
    const step = await inTransaction(db, (tx) => putInOrder(tx, { id, position, maxAtOnce }, now))
    if (step === undefined) return 'wait'
    const hasFound = walk.hasFound || step.hasFound
    Object.assign(walk, { position: step.next ?? firstHeld, hasFound: hasFound && step.next !== undefined })
    if (step.next !== undefined) return 'step'
    if (hasFound) return 'wait'
    await sql`update subscriptions set ordering_since = null where id = ${id} and ordering_since = ${new Date(since)}`.execute(
      db,
    )
    return 'begun'
  }

  return async (now) => {
    const { rows } = await sql<{ id: number; since: Date }>`
      select id, ordering_since as since from subscriptions
      where ordering_since is not null and deleted_at is null order by id`.execute(db)
    for (const id of walks.keys()) if (!rows.some((row) => row.id === id)) walks.delete(id)
    const steps: OrderStep[] = []
    for (const { id, since } of rows) steps.push({ id, next: await nextOf(id, since.getTime(), now) })
    return steps
  }
}

/** Transactions that change deliveries or queues: each locks one of these tables before it reads a subscription, until it ends. */
const writers = async (db: Db): Promise<Set<string>> => {
  const { rows } = await sql<{ transaction: string }>`
    select virtualtransaction as transaction from pg_locks
    where relation in ('deliveries'::regclass, 'object_queues'::regclass) and mode in ('RowShareLock', 'RowExclusiveLock')
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  return new Set(rows.map(({ transaction }) => transaction))
}

interface Step {
  /** The subscription. */
  readonly id: number
  readonly position: Position
  readonly maxAtOnce: number
}

/** @returns whether any was out of order, and where the next step goes on; undefined while another process makes one. */
const putInOrder = async (tx: Tx, step: Step, now: Date) => {
  const { id, maxAtOnce } = step
  const { status } = step.position
  const { rows } = await sql<{ isOurs: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('waybill:order', ${id})) as is_ours,
      -- The planner takes many deliveries for few, and would sort all that a walk has not come to, in each step.
      set_config('enable_sort', 'off', true), set_config('jit', 'off', true)`.execute(tx)
  if (rows[0]?.isOurs !== true) return undefined
  const looked = await look(tx, step)
  const found = looked.filter(({ isOutOfOrder }) => isOutOfOrder)
  if (found.length > 0) await place(tx, id, found, now)
  const last = looked.length < maxAtOnce ? undefined : looked.at(-1)
  const nextStatus = status === 'held' ? firstPending : undefined
  return { hasFound: found.length > 0, next: last === undefined ? nextStatus : { ...last, status } }
}

interface Looked extends ObjectQueue, Omit<Position, 'status'> {
  readonly sequence: number
  readonly isOutOfOrder: boolean
}

/** The next deliveries after a position, in the order of an index of their status. */
const look = async (tx: Tx, { id, position, maxAtOnce }: Step): Promise<readonly Looked[]> => {
  const [order, last] =
    position.status === 'held'
      ? [sql`looked.id`, sql`${position.id}::bigint`]
      : [
          sql`looked.lane, looked.next_attempt_at`,
          sql`${position.lane}::smallint, ${position.nextAttemptAt}::timestamptz`,
        ]
  const { rows } = await sql<Looked>`
    with looked as materialized (
      select id, event_id, subscription_id, lane, next_attempt_at, is_head from deliveries looked
      where subscription_id = ${id} and status = ${sql.lit(position.status)} and (${order}) > (${last})
      order by ${order} fetch first (${maxAtOnce}) rows with ties
    )
    select looked.id, subscription_id, object_type, object_id, sequence, lane, next_attempt_at::text,
           is_head is null and addressee is null and object_id is not null as is_out_of_order
    from looked
    left join lateral (select * from events where events.id = event_id and is_head is null limit 1) event on true
    order by ${order}`.execute(tx)
  return rows
}

/**
 * Puts deliveries behind in the queues of their objects, and heads with them that come after one of them; then gives each
 * queue its head. An attempt of one may be under way, or it may have ended: those are left alone.
 */
const place = async (tx: Tx, subscriptionId: number, found: readonly Looked[], now: Date): Promise<void> => {
  await lockQueues(tx, found)
  await sql`
    with given as materialized (
      select * from unnest(${found.map(({ id }) => id)}::bigint[], ${found.map(({ objectType }) => objectType)}::text[],
        ${found.map(({ objectId }) => objectId)}::text[], ${found.map(({ sequence }) => sequence)}::bigint[])
        as given(id, object_type, object_id, sequence)
    ),
    chosen as materialized (
      select id, sequence from given
      union all
      select head.id, head.sequence
      from (select object_type, object_id, min(sequence) as sequence from given group by object_type, object_id) earliest
      join deliveries head using (object_type, object_id)
      where head.subscription_id = ${subscriptionId} and is_head and head.sequence > earliest.sequence
    ),
    locked as materialized (
      select id from deliveries
      where ${sql.raw(isOneOf('id', 'select id from chosen'))} and status in ('pending', 'held') and is_head is not false
        and (leased_until is null or leased_until <= ${now})
      order by id for update
    )
    update deliveries delivery
    set is_head = false, sequence = chosen.sequence, status = case status when 'pending' then 'waiting' else status end
    from chosen
    where delivery.id = chosen.id and ${sql.raw(isOneOf('delivery.id', 'select id from locked'))}`.execute(tx)
  await giveMissingHeads(tx, found, now)
}
