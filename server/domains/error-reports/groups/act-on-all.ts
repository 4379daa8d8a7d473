import type { Db, Tx } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import { makeResolveAll, type ActOnAllDeps } from './resolve-all.ts'
import { makeRetryAll, type Retried } from './retry-all.ts'
import type { Asker, Asking, RetryReports } from '#failures/retry-report.ts'
import { findGroup } from './store.ts'

/** What is done to all open reports of a group: those there are when it is asked for. */
export const makeActOnAll = (deps: ActOnAllDeps & { readonly retryReports: RetryReports }) => {
  const { db, reports, retryReports, mostAtOnce, mostRetriedAtOnce, step } = deps
  const resolveAll = makeResolveAll(deps)
  const retryAll = makeRetryAll(deps)

  const countOpen = async (from: Db | Tx, id: number) => {
    if ((await findGroup(from, id)) === undefined) throw notFound()
    const { count, newestId } = await reports.count(from, { groupId: id })
    return { count, upToId: newestId }
  }

  return {
    /** Open reports that the two would touch. @throws AppError 404 */
    count: async (id: number): Promise<number> => (await countOpen(db, id)).count,

    /** Resolves them, and says that the group is resolved. `in_progress`: a job does so. @throws AppError 404 */
    async resolve(tx: Tx, id: number, by: number) {
      const { count: total, upToId } = await countOpen(tx, id)
      const isMany = total > mostAtOnce
      const resolved = await resolveAll(tx, { group: id, by, up_to_id: upToId }, isMany)
      return { status: statusOf(isMany), total, resolved }
    },

    /** Has those tried again that can be, and that whoever asks may. `in_progress`: a job does so. @throws AppError 404 */
    async retry(tx: Tx, id: number, asking: Asking) {
      const { count: total, upToId } = await countOpen(tx, id)
      const isMany = total > mostRetriedAtOnce
      const counted = await retryAll(tx, asking, { group: id, upToId }, isMany)
      return { status: statusOf(isMany), total, ...counted }
    },

    /** How many of them would not be tried again if `retry` were asked for now, as far as that is known. @throws AppError 404 */
    async outlook(id: number, who: Asker): Promise<Retried & { readonly total: number }> {
      const { count: total, upToId } = await countOpen(db, id)
      let [possible, forbidden, afterId] = [0, 0, 0]
      for (let isMore = true; isMore;) {
        const range = { afterId, upToId, limit: step, ownOnly: true }
        const page = await reports.list(db, { groupId: id }, range)
        const outlooks = await retryReports.outlook(db, page, who)
        possible += outlooks.filter((outlook) => outlook === 'possible').length
        forbidden += outlooks.filter((outlook) => outlook === 'forbidden').length
        isMore = page.length === step
        afterId = page.at(-1)?.id ?? upToId
      }
      return { total, started: 0, not_retryable: total - possible - forbidden, not_allowed: forbidden }
    },
  }
}

const statusOf = (isMany: boolean): 'in_progress' | 'done' => (isMany ? 'in_progress' : 'done')
