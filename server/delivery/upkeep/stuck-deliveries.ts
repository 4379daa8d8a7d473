import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { leaseMs } from '../queue/claim.ts'
import { findingOf, type CheckName, type CheckOptions, type Finding, type Swept } from './finding.ts'

/** How far a sweep over everything that waits has come. */
export interface SweepPosition {
  readonly subscriptionId: number
  readonly lane: number
  /** As text, because it may be infinite and has microseconds. */
  readonly nextAttemptAt: string
}

/** Deliveries that one statement looks at: 60 ms, for which an embedded database does nothing else. */
export const sweepSize = 5_000

/** No live lease reaches further ahead. Only a clock that jumped back leaves one that does. */
const maxLeaseMs = 2 * leaseMs
/** The longest wait of a strategy (a week, see retry.ts), the longest Retry-After (6 h, see settle.ts), and a minute. */
const maxWaitMs = (7 * 24 + 6) * 3_600_000 + 60_000
/** What was never tried is due at once, so it cannot be further ahead than what a clock may be wrong by. */
const maxFirstWaitMs = maxLeaseMs

const later = (now: Date, milliseconds: number): Date => new Date(now.getTime() + milliseconds)

const leaseTooLong = (now: Date) => sql`leased_until > ${later(now, maxLeaseMs)}::timestamptz`
const dueTooLate = (now: Date) => sql`next_attempt_at > case lane
  when 0 then ${later(now, maxFirstWaitMs)}::timestamptz else ${later(now, maxWaitMs)}::timestamptz end`

interface Looked {
  readonly looked: number
  readonly last: SweepPosition | null
  readonly broken: readonly { readonly id: number; readonly check: CheckName }[]
}

/** Looks at the next 5,000 pending deliveries for those that can never run, in the order of the queue's index. */
export const sweep = async (
  tx: Tx,
  after: SweepPosition | null,
  { now, repair }: Pick<CheckOptions, 'now' | 'repair'>,
): Promise<Swept<SweepPosition>> => {
  const from = after ?? { subscriptionId: 0, lane: 0, nextAttemptAt: '-infinity' }
  const { rows } = await sql<Looked>`
    with slice as materialized (
      select id, event_id, subscription_id, lane, next_attempt_at, lease_token, leased_until
      from deliveries
      where status = 'pending' and (subscription_id, lane, next_attempt_at) >
            (${from.subscriptionId}::bigint, ${from.lane}::smallint, ${from.nextAttemptAt}::timestamptz)
      order by subscription_id, lane, next_attempt_at
      fetch first (${sweepSize}) rows with ties
    ),
    judged as (
      select id, case
        when not exists (select from events where id = slice.event_id) then 'event_missing'
        when ${leaseTooLong(now)} then 'lease_too_long'
        when lease_token is not null and leased_until is null then 'lease_without_end'
        when ${dueTooLate(now)} then 'due_too_late'
      end as broken
      from slice
    )
    select (select count(*) from slice) as looked,
           (select jsonb_build_object('subscriptionId', subscription_id, 'lane', lane, 'nextAttemptAt', next_attempt_at::text)
            from slice order by subscription_id desc, lane desc, next_attempt_at desc limit 1) as last,
           coalesce((select jsonb_agg(jsonb_build_object('id', id, 'check', broken) order by id) from judged
                     where broken is not null), '[]') as broken`.execute(tx)
  const { looked = 0, last = null, broken = [] } = rows[0] ?? {}
  const repaired = repair && broken.length > 0 ? await mend(tx, broken, now) : new Set<number>()
  const findings = [...Map.groupBy(broken, ({ check }) => check)].map(([check, those]) => {
    const ids = those.map(({ id }) => id)
    return findingOf(check, ids, ids.filter((id) => repaired.has(id)).length)
  })
  return { findings, position: looked < sweepSize ? null : last }
}

/**
 * Makes broken deliveries able to run, each column judged again under the row's lock. A lease that is too
 * long is shortened to a usual one and keeps its token: whoever holds it may be alive and about to end it.
 * It was due when that was taken, so it is due. What has nothing to send has failed.
 */
const mend = async (tx: Tx, broken: Looked['broken'], now: Date): Promise<Set<number>> => {
  const [hopeless, others] = [true, false].map((isHopeless) =>
    broken.filter(({ check }) => (check === 'event_missing') === isHopeless).map(({ id }) => id),
  )
  const mended = await sql<{ id: number }>`
    update deliveries
    set next_attempt_at = case when ${dueTooLate(now)} or ${leaseTooLong(now)} then least(next_attempt_at, ${now})
                               else next_attempt_at end,
        lease_token = case when leased_until is null then null else lease_token end,
        leased_at = case when leased_until is null then null else least(leased_at, ${now}) end,
        leased_until = case when ${leaseTooLong(now)} then ${later(now, leaseMs)} else leased_until end
    where status = 'pending' and id = any(${others}::bigint[])
    returning id`.execute(tx)
  const closed = await sql<{ id: number }>`
    with closed as (
      update deliveries
      set status = 'failed', last_reason = 'event_missing', finished_at = ${now},
          lease_token = null, leased_at = null, leased_until = null
      where status = 'pending' and id = any(${hopeless}::bigint[])
      returning id
    ),
    unreported as (
      insert into unreported_failures (delivery_id, status, ended_at) select id, 'failed', ${now} from closed
    )
    select id from closed`.execute(tx)
  return new Set([...mended.rows, ...closed.rows].map(({ id }) => id))
}

/** A step is due every second or so. */
const stuckAfterMs = 600_000

/**
 * Running redeliveries whose next step has been due for ten minutes in which there were processes to make it. Only
 * reported: what keeps them is not in the table.
 * @param aliveAt when a process that delivers last showed itself; null if none has.
 */
export const checkRedeliveries = async (tx: Tx, aliveAt: Date | null): Promise<Finding> => {
  const { rows } = await sql<{ id: number }>`
    select id from redeliveries
    where status = 'running' and next_step_at < ${aliveAt}::timestamptz - ${stuckAfterMs} * interval '1 ms'
    order by id`.execute(tx)
  return findingOf(
    'redelivery_stuck',
    rows.map(({ id }) => id),
  )
}
