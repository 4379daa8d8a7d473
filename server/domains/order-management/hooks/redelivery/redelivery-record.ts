import type { Redelivery } from '#delivery/redelivery/redelivery-store.ts'
import type { Requested } from './manage-redeliveries.ts'
import type { RecoveryCount, RedeliveryRecord } from './redelivery-schemas.ts'

export const toRedeliveryRecord = (job: Redelivery): RedeliveryRecord => ({
  id: job.id,
  kind: job.kind,
  status: job.status,
  hook: job.subscriptionId,
  asked: { ...job.filter.asked },
  total: job.total,
  total_is_exact: job.filter.isExact,
  queued: job.queued,
  per_second: job.perSecond,
  requested_by: job.requestedBy,
  created_date: job.createdAt.toISOString(),
  finished_date: job.finishedAt?.toISOString() ?? null,
})

type Counted = Extract<Requested, { job: undefined }>

/** What a request would come to that asked only how much it would be. */
export const toCount = ({ count, isExact, startRefused }: Counted): RecoveryCount => ({
  count,
  is_exact: isExact,
  ...(startRefused === undefined
    ? {}
    : { start_refused: startRefused && { code: startRefused.code, message: startRefused.message } }),
})
