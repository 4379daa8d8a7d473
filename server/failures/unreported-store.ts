import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'

/** How a delivery ended, the last time if it did so several times. */
export interface DeliveryResult {
  readonly deliveryId: number
  readonly status: 'failed' | 'delivered'
  readonly endedAt: Date
}

/** The advisory lock of whoever takes results: a number that nothing else of this server locks. */
const advisoryLock = 7_239_120_463

/**
 * Takes the oldest unreported results, in the order in which they came about: once `tx` is committed they are gone. One
 * process takes them at a time, so the results of a delivery are reported in their order. Those that were postponed, and
 * later ones of their deliveries, stay until it is time.
 * @param limit how many are taken.
 * @returns the last one of each delivery, fewer than were taken where one has several; none when none is left, or
 *   another process is taking them.
 */
export const takeResults = async (tx: Tx, limit: number, now: Date): Promise<DeliveryResult[]> => {
  const lock = await sql<{ isOurs: boolean }>`select pg_try_advisory_xact_lock(${advisoryLock}) as is_ours`.execute(tx)
  if (lock.rows[0]?.isOurs !== true) return []
  const { rows } = await sql<DeliveryResult & { id: number }>`
    delete from unreported_failures
    where id = any(array(
      select id from unreported_failures as next where ${isDue(now)} and not exists (
        select from unreported_failures as earlier
        where earlier.delivery_id = next.delivery_id and earlier.id < next.id and earlier.not_before > ${now})
      order by id limit ${limit}))
    returning id, delivery_id, status, ended_at`.execute(tx)
  const last = new Map<number, DeliveryResult>()
  for (const { deliveryId, status, endedAt } of rows.toSorted((one, other) => one.id - other.id))
    last.set(deliveryId, { deliveryId, status, endedAt })
  return [...last.values()]
}

/** Whether there is anything to take: cheaper than taking nothing. */
export const hasResults = async (db: Db, now: Date): Promise<boolean> =>
  (await db
    .selectFrom('unreportedFailures')
    .select('id')
    .where(isDue(now))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()) !== undefined

const isDue = (now: Date) => sql<boolean>`(not_before is null or not_before <= ${now})`

/** Longest time until a result that could not be reported is tried again. */
const maxPostponedSeconds = 300

/**
 * Postpones the results of a delivery that could not be reported, for a time that doubles. Later results of it wait for them.
 * @returns how often that has happened; 0 when another process has taken them.
 */
export const postponeResults = async (tx: Tx, deliveryId: number, now: Date): Promise<number> => {
  const { rows } = await sql<{ tries: number }>`
    update unreported_failures
    set tries = tries + 1,
        not_before = ${now}::timestamptz + make_interval(secs => least(power(2, least(tries, 20)), ${maxPostponedSeconds}))
    where delivery_id = ${deliveryId}
    returning tries`.execute(tx)
  return Math.max(0, ...rows.map(({ tries }) => tries))
}
