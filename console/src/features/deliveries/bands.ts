import type { Schema } from '#api/types.ts'
import type { Outcome } from '#ui/status.tsx'
import type { Delivery, Stage } from './outcome.ts'

type Counts = Omit<Schema<'HookEventTotal'>, never>

/** How many deliveries of a part are in each stage: those that were tried before are told apart from those that were not. */
export const stageCounts = (counts: Counts): Readonly<Record<Stage, number>> => ({
  delivered: counts.delivered,
  failed: counts.failed,
  retrying: counts.retrying,
  pending: counts.pending - counts.retrying,
  waiting: counts.waiting,
  held: counts.held,
  cancelled: counts.cancelled,
})

/** The order in which outcomes are named: what needs somebody comes first. */
export const stages: readonly Stage[] = ['failed', 'retrying', 'pending', 'waiting', 'held', 'delivered', 'cancelled']

/** The status that the API filters a stage by. */
export const statusOf = (stage: Stage): Delivery['status'] => (stage === 'retrying' ? 'pending' : stage)

/** What is drawn in one colour, from below: what went well, what was given up or is kept, what is on its way, what failed. */
export const bands = ['ok', 'idle', 'wait', 'bad'] as const satisfies readonly Outcome[]

export const bandCounts = (counts: Counts): Readonly<Record<Outcome, number>> => ({
  ok: counts.delivered,
  idle: counts.held + counts.cancelled,
  wait: counts.pending + counts.waiting,
  bad: counts.failed,
})

export const totalOf = (counts: Counts): number =>
  Object.values(bandCounts(counts)).reduce((sum, count) => sum + count, 0)
