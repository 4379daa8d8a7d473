import { sql } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { appendHealthChanges, type RecordedChange } from './health-history.ts'
import {
  healthColumns,
  latest,
  nextHealth,
  type HealthChange,
  type HealthRules,
  type HealthState,
  type Observed,
} from './health.ts'

/** A change of an endpoint's health that people and their software want to know of. */
export interface HealthNotice {
  readonly subscriptionId: number
  readonly scope: string
  readonly change: HealthChange
  readonly before: HealthState
  readonly state: HealthState
}

export interface RecordHealthDeps {
  readonly db: Db
  readonly clock: Clock
  readonly rules: HealthRules
  /** Called in the transaction that writes the change, so that the report is stored exactly then. */
  readonly onChange: (tx: Tx, notice: HealthNotice) => Promise<void>
}

/** A subscription's state after what was observed. */
export interface Recorded {
  readonly subscriptionId: number
  readonly state: HealthState
  readonly change: HealthChange | null
}

export type RecordHealth = (observed: readonly Observed[]) => Promise<readonly Recorded[]>

/**
 * Writes what attempt results say about their endpoints, and reports changes. Before the results themselves are written:
 * a crash in between sends a delivery again rather than losing what the receiver asked for. A result of an older version
 * of a subscription says nothing.
 */
export const makeRecordHealth =
  ({ db, clock, rules, onChange }: RecordHealthDeps): RecordHealth =>
  async (observed) => {
    if (observed.length === 0) return []
    return inTransaction(db, async (tx) => {
      const rows = await lockStates(tx, [...new Set(observed.map(({ subscriptionId }) => subscriptionId))])
      const now = clock.now()
      const byKey = new Map(observed.map((one) => [`${one.subscriptionId}:${one.version}`, one]))
      const recorded: Recorded[] = []
      for (const { id, version, scope, ...before } of rows) {
        const seen = byKey.get(`${id}:${version}`)
        if (seen === undefined) continue
        const { state: next, change } = nextHealth(before, seen.observation, rules, now)
        // Those who are told want to know since when; who is well does not write that all the time.
        const state =
          change === null ? next : { ...next, lastSuccessAt: latest(next.lastSuccessAt, await lastDeliveredAt(tx, id)) }
        recorded.push({ subscriptionId: id, state, change })
        if (change !== null) await onChange(tx, { subscriptionId: id, scope, change, before, state })
      }
      if (recorded.length > 0) await writeStates(tx, recorded)
      await appendHealthChanges(tx, changesOf(recorded, now))
      return recorded
    })
  }

const changesOf = (recorded: readonly Recorded[], at: Date): RecordedChange[] =>
  recorded.flatMap(({ subscriptionId, change, state: { disabledReason, failures, failingSince } }) =>
    change === null ? [] : { subscriptionId, at, change, reason: disabledReason, failures, failingSince },
  )

/** In the order of ids, so that two processes never wait for each other. */
const lockStates = (tx: Tx, ids: readonly number[]) =>
  tx
    .selectFrom('subscriptions')
    .select(['id', 'version', 'scope', ...healthColumns])
    .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()

/** One statement for all: when a whole network is down, every endpoint in it fails at once. */
const writeStates = async (tx: Tx, recorded: readonly Recorded[]): Promise<void> => {
  const rows = recorded.map(({ subscriptionId, state }) => ({ id: subscriptionId, ...state }))
  await sql`
    update subscriptions subscription
    set is_active = written."isActive", disabled_reason = written."disabledReason", health = written.health,
        failures = written.failures, failing_since = written."failingSince", last_success_at = written."lastSuccessAt",
        last_failure_at = written."lastFailureAt", disabled_at = written."disabledAt", probe_at = written."probeAt",
        paused_until = written."pausedUntil", hold_until = written."holdUntil"
    from json_to_recordset(${JSON.stringify(rows)}::json) as written(
      id bigint, "isActive" boolean, "disabledReason" text, health text, failures integer, "failingSince" timestamptz,
      "lastSuccessAt" timestamptz, "lastFailureAt" timestamptz, "disabledAt" timestamptz, "probeAt" timestamptz,
      "pausedUntil" timestamptz, "holdUntil" timestamptz)
    where subscription.id = written.id`.execute(tx)
}

/** Deliveries looked at, the newest first. */
const maxLookedAt = 1_000

/**
 * When the last delivery to a subscription succeeded, as its newest deliveries tell; null when none of them
 * did. A subscription that is well does not write each success into its own row.
 */
export const lastDeliveredAt = async (db: Db | Tx, subscriptionId: number): Promise<Date | null> => {
  const { rows } = await sql<{ at: Date | null }>`
    select max(finished_at) as at from (
      select finished_at, status from deliveries
      where subscription_id = ${subscriptionId} order by id desc limit ${maxLookedAt}
    ) newest where status = 'delivered'`.execute(db)
  return rows[0]?.at ?? null
}
