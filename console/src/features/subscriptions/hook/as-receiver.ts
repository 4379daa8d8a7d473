import type { Schema } from '#api/types.ts'
import type { Activity, HealthChange, ReceiverHealth } from '../receiver/sentence.ts'

/** The health of a hook in the names that the parts of all receivers share. */
export const toHealth = (of: Schema<'ReceiverHealth'>): ReceiverHealth => ({
  health: of.health,
  active: of.is_active,
  disabledReason: of.disabled_reason,
  disabledAt: of.disabled_at,
  failures: of.failures,
  failingSince: of.failing_since,
  lastSuccessAt: of.last_success_at,
  lastFailureAt: of.last_failure_at,
  nextProbeAt: of.next_probe_at,
  pausedUntil: of.paused_until,
  holdUntil: of.hold_until,
  orderingSince: of.ordering_since,
  pending: of.pending,
  waiting: of.waiting,
  held: of.held,
  failed24h: of.failed_24h,
  capped: of.capped.map((name) => (name === 'failed_24h' ? 'failed24h' : name)),
})

export const toActivity = (of: Schema<'HookActivity'>): Activity => ({
  from: of.from,
  to: of.to,
  bucketSeconds: of.bucket_seconds,
  buckets: of.buckets.map((bucket) => ({ at: bucket.at, ...toTotal(bucket) })),
  total: toTotal(of.total),
  isExact: of.is_exact,
})

const toTotal = (of: Schema<'HookActivityTotal'>): Activity['total'] => ({
  delivered: of.delivered,
  failed: of.failed,
  attempts: of.attempts,
  http2xx: of.http_2xx,
  http3xx: of.http_3xx,
  http4xx: of.http_4xx,
  http5xx: of.http_5xx,
  noAnswer: of.no_answer,
  p50Ms: of.p50_ms,
  p95Ms: of.p95_ms,
})

export const toChange = ({ failing_since: failingSince, ...change }: Schema<'HookHealthChange'>): HealthChange => ({
  ...change,
  failingSince,
})
