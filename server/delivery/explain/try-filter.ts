import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { EventFilter } from '../subscriber/event-filter.ts'
import { unmetPaths } from '../subscriber/matching.ts'

/** An event of the past, and whether a filter would let it through. */
export interface TriedEvent {
  readonly event: number
  readonly eventType: string
  readonly objectType: string | null
  readonly objectId: string | null
  readonly occurredAt: Date
  readonly isMatch: boolean
  /** Paths of the filter whose conditions do not hold; null when all do. */
  readonly unmetConditions: readonly string[] | null
}

export interface Trial {
  readonly scope: string
  /** Names and patterns. */
  readonly eventTypes: readonly string[]
  readonly filter: EventFilter | null
  /** Which events may be tried, for what a filter says of them: a condition on columns of events. */
  readonly open: RawBuilder<boolean>
}

/** Events that are tried, and events among which those of the types are looked for, the newest of all. */
export const maxTried = 200
export const maxLookedAt = 20_000

/** Tries names, patterns and a filter as delivery judges them (subscriber/matching.ts), on the newest events; these come first. */
export const tryFilter = async (db: Db, { scope, eventTypes, filter, open }: Trial): Promise<TriedEvent[]> => {
  const { rows } = await sql<TriedEvent>`
    with wanted as materialized (
      select filter, filter_path(filter) as path from (select ${filter && JSON.stringify(filter)}::jsonb as filter) given
    ),
    tried as materialized (
      select id from (
        select id, type, object_type from events
        where scope = ${scope} and addressee is null and content_type is null order by id desc limit ${maxLookedAt}
      ) newest
      where exists (select from unnest(${[...eventTypes]}::text[]) pattern where matches_pattern(type, pattern))
        and ${open}
      order by id desc limit ${maxTried}
    )
    select id as event, type as event_type, object_type, object_id, occurred_at,
      fulfils(body::jsonb, filter, path) as is_match, ${sql.raw(unmetPaths)} as unmet_conditions
    from tried join events using (id) cross join wanted
    order by id desc`.execute(db)
  return rows
}
