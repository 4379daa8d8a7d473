import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { Arrival } from './append.ts'

interface ExternalEventsTable {
  userId: number
  id: string
  contentHash: string
  acceptedAt: Date
}
declare module '#platform/db/database.ts' {
  interface Tables {
    externalEvents: ExternalEventsTable
  }
}

/** Those of the arrivals whose id stands for something else. */
export const findOtherContent = async (db: Db, arrivals: readonly Arrival[]): Promise<ReadonlySet<Arrival>> => {
  const { rows } = await sql<{ position: number }>`
    select entry.position::integer as position from external_events known
    join unnest(
      ${arrivals.map(({ userId }) => userId)}::bigint[], ${arrivals.map(({ id }) => id)}::text[],
      ${arrivals.map(({ contentHash }) => contentHash)}::text[]
    ) with ordinality as entry (user_id, id, content_hash, position)
      on known.user_id = entry.user_id and known.id = entry.id and known.content_hash <> entry.content_hash`.execute(db)
  return new Set(rows.flatMap(({ position }) => arrivals[position - 1] ?? []))
}
