import { Type, type Static } from 'typebox'
import type { Tx } from '#platform/db/database.ts'
import { inSteps } from '#platform/db/transaction.ts'
import { orNotFound } from '#platform/errors.ts'
import { Id } from '#platform/http/schemas.ts'
import type { RetryContext } from '#failures/retry-report.ts'
import { changeGroup } from './change-group.ts'
import { makeRetryAll, type RetryAllDeps } from './retry-all.ts'
import { findGroup } from './store.ts'

/** Absent numbers have defaults. */
export type ActOnAllDeps = Omit<RetryAllDeps, 'maxRetriedAtOnce' | 'step'> &
  Partial<Pick<RetryAllDeps, 'maxRetriedAtOnce' | 'step'>> & { readonly maxResolvedAtOnce?: number }

const Wanted = Type.Object({ group: Id, by: Id, up_to_id: Type.Integer({ minimum: 0 }) })

/** Acts on all open reports of a group: those there are when it is asked for. All throw AppError 404. */
export const makeActOnAll = ({
  maxResolvedAtOnce = 5_000,
  maxRetriedAtOnce = 1_000,
  step = 1_000,
  ...deps
}: ActOnAllDeps) => {
  const { db, clock, jobs, reports } = deps
  const retryAll = makeRetryAll({ ...deps, maxRetriedAtOnce, step })

  const resolveSome = (tx: Tx, { group, by, up_to_id: upToId }: Static<typeof Wanted>, limit: number) =>
    reports.resolve(tx, { groupId: group }, { how: 'resolved_all', by, at: clock.now() }, { upToId, limit })
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
      const wanted = { group: id, by, up_to_id: upToId }
      if (isMany) await resolving.enqueue(tx, wanted)
      const resolved = isMany ? 0 : await resolveSome(tx, wanted, maxResolvedAtOnce)
      await changeGroup(tx, id, { state: 'resolved' }, { by, now: clock.now() })
      return { status: statusOf(isMany), total, resolved }
    },

    /** Retries those that can be retried, and that the principal may. `in_progress`: a job does so. */
    async retry(tx: Tx, id: number, context: RetryContext) {
      const { count: total, upToId } = await countOpen(tx, id)
      const isMany = total > maxRetriedAtOnce
      const counted = await retryAll(tx, context, { group: id, upToId }, isMany)
      return { status: statusOf(isMany), total, ...counted }
    },
  }
}

const statusOf = (isMany: boolean): 'in_progress' | 'done' => (isMany ? 'in_progress' : 'done')
