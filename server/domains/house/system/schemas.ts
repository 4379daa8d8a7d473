import { Type, type TProperties } from 'typebox'
import { OneOf, Timestamp } from '#platform/http/schemas.ts'
import { states } from './judge.ts'

const Count = Type.Integer({ minimum: 0 })
const Seconds = Type.Number({ minimum: 0 })
const State = OneOf(states)

const section = <P extends TProperties>(name: string, description: string, properties: P) =>
  Type.Object(
    { state: State, text: Type.String({ description: 'What this means, and what to do.' }), ...properties },
    { title: name, description },
  )

export const System = Type.Object(
  {
    state: OneOf(states, { description: 'The worst of all parts.' }),
    version: Type.String(),
    role: OneOf(['all', 'api', 'worker'], { description: 'Of the process that answers.' }),
    engine: OneOf(['pglite', 'postgres']),
    uptime_seconds: Seconds,
    database: section('SystemDatabase', 'The database; connections are those of the process that answers.', {
      version: Type.String(),
      size_bytes: Count,
      latency_ms: Type.Number({ minimum: 0, description: 'Of a statement that does nothing.' }),
      connections: Count,
      idle: Count,
      waiting: Count,
    }),
    migrations: section('SystemMigrations', 'Changes of the schema, by the number of the last one.', {
      applied: Count,
      expected: Count,
    }),
    readiness: section('SystemReadiness', 'What `/readyz` says of the process that answers.', {
      reasons: Type.Record(Type.String(), Type.String()),
    }),
    deliveries: section(
      'SystemDeliveries',
      'The queue of deliveries. Counts end at 10,000, but `due`, which is then an estimate.',
      {
        due: Count,
        pending: Count,
        waiting: Type.Integer({ minimum: 0, description: 'Behind another about the same object.' }),
        held: Count,
        in_flight: Type.Integer({ minimum: 0, description: 'Among 10,000 that are pending.' }),
        oldest_due_seconds: Seconds,
      },
    ),
    subscriptions: section(
      'SystemSubscriptions',
      'Hooks, webhooks of projects and flows: who listens, and who fails.',
      {
        active: Count,
        failing: Count,
        switched_off: Count,
      },
    ),
    invariants: section(
      'SystemInvariants',
      'What the continuous check has found, until `npm run doctor` finds everything well.',
      {
        lost: Count,
        checked_at: Type.String({ ...Timestamp, description: 'Up to when every event has been checked.' }),
        violations: Type.Array(Type.Object({ check: Type.String(), found: Count, meaning: Type.String() })),
      },
    ),
    jobs: section('SystemJobs', 'Background jobs by queue; counted every 20 seconds.', {
      queues: Type.Array(
        Type.Object({ queue: Type.String(), waiting: Count, active: Count, failed: Count, oldest_seconds: Seconds }),
      ),
    }),
    processes: section('SystemProcesses', 'Processes that have left a sign of life within 20 seconds.', {
      seen: Type.Array(
        Type.Object({
          id: Type.String(),
          works: Type.Boolean({ description: 'Whether it delivers.' }),
          seen_at: Timestamp,
        }),
      ),
    }),
    history: section('SystemHistory', 'How long events, deliveries and attempts are kept, and the weeks of each.', {
      event_days: Count,
      attempt_days: Count,
      partitions: Type.Array(Type.Object({ table: Type.String(), count: Count })),
    }),
    mail: section('SystemMail', 'Messages to people of the last 30 days. Counts end at 10,000.', {
      is_configured: Type.Boolean({ description: 'Whether there is an SMTP_URL.' }),
      waiting: Count,
      failed: Count,
      kept: Count,
    }),
    disk: section('SystemDisk', 'The disk of DATA_DIR.', { free_bytes: Count, total_bytes: Count }),
  },
  { title: 'System', description: 'How the installation is.' },
)
