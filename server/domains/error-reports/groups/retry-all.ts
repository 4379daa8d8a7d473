import { Type, type Static } from 'typebox'
import type { Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { Id } from '#platform/http/schemas.ts'
import type { ActOnAllDeps } from './act-on-all-deps.ts'
import type { RetryReport } from './retry-report.ts'

const Wanted = Type.Object({ group: Id, up_to_id: Type.Integer({ minimum: 0 }) })

/** Makes the function that has the open reports of a group up to an id tried again, by itself or by a job. */
export const makeRetryAll = ({
  db,
  jobs,
  reports,
  retryReport,
  mostAtOnce,
  step,
}: ActOnAllDeps & { readonly retryReport: RetryReport }) => {
  /** Those of a page. @returns also where the next page begins; undefined when there is none. */
  const retryPage = async (
    tx: Tx,
    { group, up_to_id: upToId }: Static<typeof Wanted>,
    { afterId, limit }: { readonly afterId: number; readonly limit: number },
  ) => {
    const page = await reports.list(tx, { groupId: group }, { afterId, upToId, limit })
    const counted = { started: 0, not_retryable: 0 }
    for (const report of page) counted[await retryReport(tx, report)] += 1
    return { counted, nextId: page.length < limit ? undefined : page.at(-1)?.id }
  }

  const job = jobs.define({
    name: 'error-report-groups.retry-all',
    data: Wanted,
    handler: async (wanted, { signal }) => {
      let afterId: number | undefined = 0
      while (afterId !== undefined) {
        signal.throwIfAborted()
        const from: number = afterId
        const { nextId } = await inTransaction(db, (tx) => retryPage(tx, wanted, { afterId: from, limit: step }))
        afterId = nextId
      }
      return undefined
    },
  })

  /** @returns what it did by itself. */
  return async (tx: Tx, wanted: Static<typeof Wanted>, isMany: boolean) => {
    if (!isMany) return (await retryPage(tx, wanted, { afterId: 0, limit: mostAtOnce })).counted
    await job.enqueue(tx, wanted, { singletonKey: String(wanted.group) })
    return { started: 0, not_retryable: 0 }
  }
}
