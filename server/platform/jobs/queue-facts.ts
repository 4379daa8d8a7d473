import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** How a queue of background jobs is. */
export interface QueueFacts {
  readonly queue: string
  readonly waiting: number
  readonly active: number
  readonly failed: number
  /** How long the oldest that could run has been waiting. */
  readonly oldestSeconds: number
}

/** Queues by name, as the workers of pg-boss count them every 20 s. */
export const readQueueFacts = async (db: Db): Promise<readonly QueueFacts[]> => {
  const { rows } = await sql<QueueFacts>`
    select name as queue, queued_count as waiting, active_count as active, failed_count as failed,
      coalesce((select extract(epoch from now() - min(start_after)) from (
        select start_after from jobs.job where job.name = queue.name and state < 'active' and start_after <= now() limit 10000
      ) ready), 0)::float8 as oldest_seconds
    from jobs.queue where name not like '\\_\\_pgboss%' order by name`.execute(db)
  return rows
}
