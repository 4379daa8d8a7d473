import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { endedStatuses, promote, type Due, type ObjectQueue } from './object-queues.ts'

/** Heads that one transaction releases. */
const maxAtOnce = 500

const isEnded = (now: Date) =>
  sql`head.is_head and head.status in ${endedStatuses} and (head.leased_until is null or head.leased_until <= ${now})`

/**
 * Lets the next delivery go wherever a head has ended. Steps over queues that somebody holds, such as a transaction that
 * raises an event of the object. @returns undefined when there was none.
 */
export const releaseEnded = async (tx: Tx, now: Date): Promise<Due | undefined> => {
  const { rows } = await sql<ObjectQueue & { ended: number }>`
      select head.id as ended, head.subscription_id, head.object_type, head.object_id
      from deliveries head
      join object_queues queue on queue.subscription_id = head.subscription_id
        and queue.object_type = head.object_type and queue.object_id = head.object_id
      where ${isEnded(now)}
      order by head.id limit ${maxAtOnce}
      for update skip locked`.execute(tx)
  return rows.length === 0 ? undefined : promote(tx, rows, now)
}

/** Whether a head has ended that is not released yet. */
export const hasEnded = async (db: Db, now: Date): Promise<boolean> => {
  const { rows } =
    await sql`select head.id from deliveries head where ${isEnded(now)} order by head.id limit 1`.execute(db)
  return rows.length > 0
}
