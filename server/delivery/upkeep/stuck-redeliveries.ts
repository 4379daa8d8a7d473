import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { mostExamples, type Finding } from './finding.ts'

/** A step is due every second or so. */
const stuckAfterMs = 600_000

/**
 * Running redeliveries whose next step has been due for ten minutes in which there were processes to make
 * it. Only reported: what keeps them is not in the table.
 * @param aliveAt when a process that delivers last showed itself; null if none has.
 */
export const checkRedeliveries = async (tx: Tx, aliveAt: Date | null): Promise<Finding> => {
  const { rows } = await sql<{ id: number }>`
    select id from redeliveries
    where status = 'running' and next_step_at < ${aliveAt}::timestamptz - ${stuckAfterMs} * interval '1 ms'
    order by id`.execute(tx)
  const examples = rows.slice(0, mostExamples).map(({ id }) => id)
  return { check: 'redelivery_stuck', found: rows.length, repaired: 0, examples }
}
