import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import type { CheckName, Finding } from './finding.ts'

/**
 * Adds what the periodic checker found to the record that every process shows in its metrics. The record
 * stays until somebody has had everything looked at, so that nothing is overlooked because it was repaired.
 * @returns what is news: the same as less than an hour ago is not.
 */
export const recordFindings = async (tx: Tx, findings: readonly Finding[]): Promise<readonly Finding[]> => {
  const news: Finding[] = []
  for (const finding of findings) {
    if (finding.found === 0) continue
    const { rows } = await sql`
      insert into invariant_violations as known (name, found, repaired, examples, last_found_at)
      values (${finding.check}, ${finding.found}, ${finding.repaired}, ${JSON.stringify(finding.examples)}::jsonb, clock_timestamp())
      on conflict (name) do update
      set found = known.found + excluded.found, repaired = known.repaired + excluded.repaired,
          examples = excluded.examples, last_found_at = excluded.last_found_at
      where known.examples <> excluded.examples or known.last_found_at < clock_timestamp() - interval '1 hour'
      returning name`.execute(tx)
    if (rows.length > 0) news.push(finding)
  }
  return news
}

/** What was recorded and not forgotten since. */
export const recordedViolations = async (db: Db): Promise<readonly { name: CheckName; found: number }[]> =>
  (await sql<{ name: CheckName; found: number }>`select name, found from invariant_violations`.execute(db)).rows

export const forgetViolations = async (db: Db): Promise<void> => {
  await sql`delete from invariant_violations`.execute(db)
}
