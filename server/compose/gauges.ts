import { sql, type RawBuilder } from 'kysely'
import type { Logger } from 'pino'
import type { Gauge, Registry } from 'prom-client'
import type { Database } from '#platform/db/database.ts'
import { makeLoop } from '#platform/loop.ts'
import type { Service } from '#platform/supervisor.ts'
import { makeGauge } from '#platform/telemetry.ts'

/** Figures of what waits in the database. Each is read from few rows, however many there are in all. */
interface Figure {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly string[]
  /** Rows of the labels and `value`. */
  readonly rows: RawBuilder<Readonly<Record<string, string>> & { readonly value: number }>
}

const figures: readonly Figure[] = [
  {
    name: 'waybill_jobs_waiting',
    help: 'Jobs that wait, by queue.',
    labelNames: ['queue'],
    // Counted by the workers of pg-boss, every 20 s.
    rows: sql`select name as queue, queued_count as value from jobs.queue`,
  },
  {
    name: 'waybill_orders_waiting',
    help: 'Orders that the commerce platform does not have yet: pending, failed and tried again later, or given_up.',
    labelNames: ['status'],
    rows: sql`select known.status, count(waiting.status) as value
      from (values ('pending'), ('failed'), ('given_up')) as known (status)
      left join (
        select case when status = 'failed' and next_attempt_at is null then 'given_up' else status end as status
        from quotation_orders where status <> 'created') as waiting on waiting.status = known.status
      group by known.status`,
  },
  {
    name: 'waybill_exports',
    help: 'Exports of the last day, by status and format.',
    labelNames: ['status', 'format'],
    rows: sql`select status, format, count(*) as value from exports group by status, format`,
  },
  {
    name: 'waybill_error_reports',
    help: 'Error reports that are kept: open, or ok (resolved, or reported as a success).',
    labelNames: ['state'],
    rows: sql`select known.state, coalesce(sum(counts.count), 0)::bigint as value
      from (values ('open', false), ('ok', true)) as known (state, is_ok)
      left join error_report_buckets as bucket using (is_ok)
      left join error_report_counts as counts on counts.bucket_id = bucket.id and group_id = 0 and day = '-infinity'
      group by known.state`,
  },
  {
    name: 'waybill_error_reports_created',
    help: 'Error reports that were ever created, by the numbers that were given.',
    labelNames: [],
    rows: sql`select case when is_called then last_value else 0 end as value from error_reports_id_seq`,
  },
]

const lookEveryMs = 15_000

/** @returns what keeps the gauges up to date, for processes that work; in others they are absent. */
export const makeGauges = (registry: Registry, { db }: Pick<Database, 'db'>, log: Logger): Service => {
  const gauges = figures.map((figure) => [makeGauge(registry, figure), figure] as const)
  const look = async (): Promise<void> => {
    for (const [gauge, { rows }] of gauges) show(gauge, (await rows.execute(db)).rows)
  }
  return makeLoop({ name: 'gauges', everyMs: lookEveryMs, log, run: look })
}

const show = (gauge: Gauge, rows: readonly (Readonly<Record<string, string>> & { readonly value: number })[]) => {
  gauge.reset()
  for (const { value, ...labels } of rows) gauge.set(labels, value)
}

/** How busy the connections of this process are, at the moment of asking. */
export const measureConnections = (registry: Registry, { load }: Pick<Database, 'load'>): void => {
  const gauge = (name: string, help: string, valueOf: () => number): void =>
    void makeGauge(registry, { name, help, collect: (asked) => asked.set(valueOf()) })
  gauge('waybill_database_connections', 'Connections to the database.', () => load().connections)
  gauge('waybill_database_connections_idle', 'Those of them that nobody uses.', () => load().idle)
  gauge(
    'waybill_database_waiting',
    'Who waits for one; embedded also statements without an answer.',
    () => load().waiting,
  )
}
