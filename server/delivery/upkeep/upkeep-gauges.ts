import type { Logger } from 'pino'
import type { Gauge, Registry } from 'prom-client'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { makeGauge } from '#platform/telemetry.ts'
import type { Backlog } from './backlog.ts'
import { checkNames, type CheckName } from './finding.ts'

/** What upkeep needs. */
export interface UpkeepOptions {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: UpkeepMetrics
  /** Days that events and their deliveries are kept. */
  readonly eventDays: number
  /** Days that attempts are kept. */
  readonly attemptDays: number
}

/** All are shown, also with 0: what first appears as 1 has never grown, to Prometheus. */
const healths = ['healthy', 'failing', 'disabled', 'probing', 'off'] as const

/** Gauges of what the database holds: every process that has looked shows the same. */
export const makeUpkeepGauges = (registry: Registry) => {
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []): Gauge<Label> =>
    makeGauge(registry, { name, help, labelNames })

  const lost = gauge('waybill_delivery_lost', 'Deliveries that were found missing; 0 unless there is a bug.')
  const violations = gauge('waybill_invariant_violations', 'What was found that should never be, by check.', ['check'])
  const checkedAt = gauge('waybill_invariant_checked_at', 'Time up to which all events were checked, in Unix seconds.')
  const due = gauge('waybill_deliveries_due', 'Deliveries whose time has come; above 10,000 an estimate.')
  const waiting = gauge(
    'waybill_deliveries_waiting',
    'Deliveries that wait for an earlier one of their object, counted up to 10,000.',
  )
  const oldest = gauge('waybill_delivery_oldest_due_seconds', 'How long the oldest one that could go has been due.')
  const subscriptions = gauge('waybill_subscriptions', 'Subscriptions by health.', ['health'])
  const keptWeeks = gauge('waybill_retention_kept_weeks', 'Old weeks kept because something in them still waits.')

  return {
    /**
     * What the checker has recorded so far.
     * @param checkedUpTo time up to which every event has been checked.
     */
    checked(found: readonly { readonly name: CheckName; readonly found: number }[], checkedUpTo: Date): void {
      for (const check of checkNames) violations.set({ check }, found.find(({ name }) => name === check)?.found ?? 0)
      lost.set(found.find(({ name }) => name === 'delivery_missing')?.found ?? 0)
      checkedAt.set(Math.floor(checkedUpTo.getTime() / 1_000))
    },
    backlog(backlog: Backlog, now: Date): void {
      due.set(backlog.due)
      waiting.set(backlog.waiting)
      oldest.set(backlog.oldestDueAt === null ? 0 : Math.max(0, now.getTime() - backlog.oldestDueAt.getTime()) / 1_000)
      for (const health of healths) subscriptions.set({ health }, backlog.subscriptions[health] ?? 0)
    },
    /** How many weeks are older than the retention time and kept because something in them still waits. */
    kept: (weeks: number): void => keptWeeks.set(weeks),
  }
}

export type UpkeepMetrics = ReturnType<typeof makeUpkeepGauges>
