import type { Redelivery } from '#delivery/redelivery/redelivery-store.ts'
import type { RedeliveryRecord } from './redelivery-schemas.ts'

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
