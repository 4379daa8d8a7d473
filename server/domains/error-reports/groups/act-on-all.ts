import { Type, type Static } from 'typebox'
import type { Tx } from '#platform/db/database.ts'
import { inSteps } from '#platform/db/transaction.ts'
import { orNotFound } from '#platform/errors.ts'
import { Id } from '#platform/http/schemas.ts'
import type { RetryContext } from '#failures/retry-report.ts'
import { changeGroup } from './change-group.ts'
import { makeRetryAll, noneRetried, type RetryAllDeps } from './retry-all.ts'
import { findGroup } from './store.ts'

/** Absent numbers have defaults. */
export type ActOnAllDeps = Omit<RetryAllDeps, 'maxRetriedAtOnce' | 'step'> &
  Partial<Pick<RetryAllDeps, 'maxRetriedAtOnce' | 'step'>> & { readonly maxResolvedAtOnce?: number }

const Wanted = Type.Object({
  group: Id,
  by: Id,
  up_to_id: Type.Integer({ minimum: 0 }),
  /** What it is undone by. Jobs of an earlier version have none. */
  change: Type.Optional(Id),
  changed_at: Type.Optional(Type.String({ format: 'date-time' })),
})

/** Acts on all open reports of a group: those there are when it is asked for. All throw AppError 404. */
export const makeActOnAll = ({
  maxResolvedAtOnce = 5_000,
  maxRetriedAtOnce = 1_000,
  step = 1_000,
  ...deps
}: ActOnAllDeps) => {
  const { db, clock, jobs, reports } = deps
  const retryAll = makeRetryAll({ ...deps, maxRetriedAtOnce, step })

  const resolveSome = async (tx: Tx, wanted: Static<typeof Wanted>, limit: number) => {
    const { group, by, up_to_id: upToId, change, changed_at: changedAt } = wanted
    await reports.lock(tx)
    if (change !== undefined && (await reports.isUndone(tx, change))) return 0
    const at = changedAt === undefined ? clock.now() : new Date(changedAt)
    return reports.resolve(tx, { groupId: group }, { how: 'resolved_all', by, at }, { upToId, limit })
  }
  const resolving = jobs.define({
    name: 'error-report-groups.resolve-all',
    data: Wanted,
    handler: async (wanted, { signal }) => {
      await inSteps(db, signal, async (tx) => (await resolveSome(tx, wanted, step)) === step)
      return undefined
    },
  })

  const countOpen = async (tx: Tx, id: number) => {
    orNotFound(await findGroup(tx, id))
    const { count, newestId } = await reports.count(tx, { groupId: id })
    return { count, upToId: newestId }
  }

  return {
    /** Resolves them and then the group, as reports are locked before groups. `in_progress`: a job resolves the reports. */
    async resolve(tx: Tx, id: number, by: number) {
      const { count: total, upToId } = await countOpen(tx, id)
      const isMany = total > maxResolvedAtOnce
      const change = total === 0 ? undefined : await reports.beginResolving(tx, by, clock.now())
      const begun = change && { change: change.id, changed_at: change.changedAt.toISOString() }
      const wanted = { group: id, by, up_to_id: upToId, ...begun }
      if (isMany) await resolving.enqueue(tx, wanted)
      const resolved = isMany ? 0 : await resolveSome(tx, wanted, maxResolvedAtOnce)
      await changeGroup(tx, id, { state: 'resolved' }, { by, now: clock.now() })
      return { status: statusOf(isMany), total, resolved, undo: change?.id ?? null }
    },

    /** How many `resolve` would resolve. */
    async previewResolve(tx: Tx, id: number) {
      return { status: 'dry_run' as const, total: (await countOpen(tx, id)).count, resolved: 0, undo: null }
    },

    /** What `retry` would come to now, as far as it is known; of so many that a job would do it, only how many there are. */
    async previewRetry(tx: Tx, id: number, { principal }: RetryContext) {
      const { count: total, upToId } = await countOpen(tx, id)
      const counted =
        total > maxRetriedAtOnce ? noneRetried : await retryAll.preview(tx, principal, { group: id, upToId })
      return { status: 'dry_run' as const, total, ...counted }
    },

    /** Retries those that can be retried, and that the principal may. `in_progress`: a job does so. */
    async retry(tx: Tx, id: number, context: RetryContext) {
      const { count: total, upToId } = await countOpen(tx, id)
      const isMany = total > maxRetriedAtOnce
      const counted = await retryAll.retry(tx, context, { group: id, upToId }, isMany)
      return { status: statusOf(isMany), total, ...counted }
    },
  }
}

const statusOf = (isMany: boolean): 'in_progress' | 'done' => (isMany ? 'in_progress' : 'done')
