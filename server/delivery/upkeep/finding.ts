import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'

/** What is checked, and what it means when it is not so: `of` says whose ids the examples are. */
export const checks = {
  delivery_missing: { of: 'event', meaning: 'an event has no delivery for a subscription that listens to it' },
  delivery_doubled: { of: 'event', meaning: 'an event has two deliveries for one subscription' },
  lease_too_long: { of: 'delivery', meaning: 'a delivery is reserved for longer than any attempt lasts' },
  lease_without_end: { of: 'delivery', meaning: 'a delivery is reserved without saying until when' },
  due_too_late: { of: 'delivery', meaning: 'a delivery waits for longer than any retry does' },
  event_missing: { of: 'delivery', meaning: 'a delivery waits, but there is nothing to send: its event is gone' },
  order_stuck: { of: 'delivery', meaning: 'a delivery waits for an earlier one of its object, and there is none' },
  subscription_ended: { of: 'delivery', meaning: 'a delivery waits for a subscription that has ended' },
  end_missing: { of: 'delivery', meaning: 'a delivery is closed and does not say when' },
  attempt_missing: { of: 'delivery', meaning: 'a delivery is delivered, and no attempt shows it' },
  redelivery_stuck: { of: 'redelivery', meaning: 'a redelivery is running and does not get on' },
} as const satisfies Record<string, { of: string; meaning: string }>

export type CheckName = keyof typeof checks

export const checkNames = Object.keys(checks) as CheckName[]

/** What one check came to. */
export interface Finding {
  readonly check: CheckName
  readonly found: number
  readonly repaired: number
  /** Ids of the first few, see `checks`. */
  readonly examples: readonly number[]
}

/** What a look at a part of all that waits found. */
export interface Swept<Position> {
  readonly findings: readonly Finding[]
  /** Where the next look goes on; null when everything has been seen. */
  readonly position: Position | null
}

/** How a check is made. */
export interface CheckOptions {
  /** See `lastSettled`. */
  readonly settleMs: number
  /** When what is mended is due. */
  readonly now: Date
  /** Mends what can be mended; otherwise only looks. */
  readonly repair: boolean
}

export const maxExamples = 10

export const findingOf = (check: CheckName, ids: readonly number[], repaired = 0): Finding => ({
  check,
  found: ids.length,
  repaired,
  examples: ids.slice(0, maxExamples),
})

/** The findings of several looks as one for each check, in the order of `checks`. */
export const addUp = (findings: readonly Finding[]): Finding[] =>
  checkNames.map((check) => {
    const those = findings.filter((finding) => finding.check === check)
    return {
      check,
      found: those.reduce((sum, { found }) => sum + found, 0),
      repaired: those.reduce((sum, { repaired }) => sum + repaired, 0),
      examples: those.flatMap(({ examples }) => examples).slice(0, maxExamples),
    }
  })

/**
 * Adds findings of the periodic checker to the record that every process shows in its metrics. It stays until somebody
 * has had everything looked at, so that nothing is overlooked because it was repaired.
 * @returns what is news: a finding with the examples of less than an hour ago is not.
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
