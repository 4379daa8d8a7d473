import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { maxExamples, type Finding } from './finding.ts'
import type { EventRange } from './missing-deliveries.ts'

/**
 * Checks that the deliveries of a slice of events say one thing: at most one for each subscription, the time of its end
 * on each closed one, and on each delivered one an attempt that was. Only reported: nobody can say which of two
 * contradicting records is true.
 * @param attemptDays days that attempts are kept.
 */
export const checkEvidence = async (tx: Tx, { after, upTo }: EventRange, attemptDays: number): Promise<Finding[]> => {
  const { rows } = await sql<Finding>`
    with judged as materialized (
      select id, event_id, subscription_id, status, finished_at
      from deliveries where event_id > ${after} and event_id <= ${upTo}
    ),
    contradictions as (
      select 'end_missing' as name, id from judged where status not in ('pending', 'held', 'waiting') and finished_at is null
      union all
      select 'attempt_missing', id from judged
      where status = 'delivered' and id >= time_id_floor(clock_timestamp() - make_interval(days => ${attemptDays}))
        and not exists (select from attempts where delivery_id = judged.id and outcome = 'delivered')
      union all
      select 'delivery_doubled', event_id from judged group by event_id, subscription_id having count(*) > 1
    )
    select name as check, count(*) as found, 0::bigint as repaired,
           to_jsonb((array_agg(id order by id))[:${maxExamples}]) as examples
    from contradictions group by name`.execute(tx)
  return rows
}
