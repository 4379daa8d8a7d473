import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'

/** How a delivery ended, the last time if it did so several times. */
export interface End {
  readonly deliveryId: number
  readonly status: 'failed' | 'delivered'
  readonly endedAt: Date
}

/** The advisory lock that takers hold. Any number will do that nothing else of this server locks. */
const advisoryLock = 7_239_120_463

/**
 * Takes the oldest ends that nobody has taken, in the order in which they came about: once `tx` is committed they are gone.
 * One takes them at a time, in all processes: so the ends of a delivery are told in their order. Those that were put off, and
 * later ones of their deliveries, stay until it is time. @param limit how many are taken.
 * @returns the last one of each delivery, fewer than were taken where one has several; none when none is left, or somebody
 * else is taking them.
 */
export const takeEnds = async (tx: Tx, limit: number, now: Date): Promise<End[]> => {
  const turn = await sql<{ isOurs: boolean }>`select pg_try_advisory_xact_lock(${advisoryLock}) as is_ours`.execute(tx)
  if (turn.rows[0]?.isOurs !== true) return []
  const { rows } = await sql<End & { id: number }>`
    delete from untold_ends
    where id = any(array(
      select id from untold_ends as next where ${isDue(now)} and not exists (
        select from untold_ends as earlier
        where earlier.delivery_id = next.delivery_id and earlier.id < next.id and earlier.not_before > ${now})
      order by id limit ${limit}))
    returning id, delivery_id, status, ended_at`.execute(tx)
  const last = new Map<number, End>()
  for (const { deliveryId, status, endedAt } of rows.toSorted((one, other) => one.id - other.id))
    last.set(deliveryId, { deliveryId, status, endedAt })
  return [...last.values()]
}

/** Whether there is anything to take: cheaper than taking nothing. */
export const hasEnds = async (db: Db, now: Date): Promise<boolean> =>
  (await db.selectFrom('untoldEnds').select('id').where(isDue(now)).orderBy('id').limit(1).executeTakeFirst()) !==
  undefined

const isDue = (now: Date) => sql<boolean>`(not_before is null or not_before <= ${now})`

/** Longest time until what could not be told is tried again. */
const mostSeconds = 300

/**
 * Puts off the ends of a delivery that could not be told, for a time that doubles. Later ends of it wait for them.
 * @returns how often that has happened; 0 when somebody else has taken them.
 */
export const putOffEnds = async (tx: Tx, deliveryId: number, now: Date): Promise<number> => {
  const { rows } = await sql<{ tries: number }>`
    update untold_ends
    set tries = tries + 1,
        not_before = ${now}::timestamptz + make_interval(secs => least(power(2, least(tries, 20)), ${mostSeconds}))
    where delivery_id = ${deliveryId}
    returning tries`.execute(tx)
  return Math.max(0, ...rows.map(({ tries }) => tries))
}
