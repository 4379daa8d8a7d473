import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'

/** Read by the statement of each event, and small enough to be read whole as long as nobody has subscribed. */
const tables = ['subscriptions', 'subscription_events']

/**
 * Gathers the statistics of a table that has more than twice the pages of the last time. Each connection plans a statement
 * once and keeps the plan: with 1,000 hooks that had just been made, each event read all of them, until the server's
 * autovacuum came by, a minute later. New statistics make every connection plan anew.
 * @returns the tables that had grown.
 */
export const analyzeGrownTables = async (db: Db): Promise<readonly string[]> => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where oid = any(${tables}::regclass[])
      and pg_relation_size(oid) / current_setting('block_size')::integer > 2 * greatest(relpages, 1)
    order by name`.execute(db)
  for (const { name } of rows) await sql`analyze ${sql.table(name)}`.execute(db)
  return rows.map(({ name }) => name)
}
