import { Type, type Static } from 'typebox'
import type { Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { Id } from '#platform/http/schemas.ts'
import type { ActOnAllDeps } from './act-on-all-deps.ts'
import type { RetryReports } from './retry-report.ts'

const Wanted = Type.Object({ group: Id, by: Id, up_to_id: Type.Integer({ minimum: 0 }) })

/** Makes the function that has the open reports of a group up to an id tried again, by itself or by a job. */
export const makeRetryAll = ({
  db,
  clock,
  jobs,
  reports,
  retryReports,
  mostRetriedAtOnce,
  step,
}: ActOnAllDeps & { readonly retryReports: RetryReports }) => {
  /** Those of a page. @returns also where the next page begins; undefined when there is none. */
  const retryPage = async (
    tx: Tx,
    { group, by, up_to_id: upToId }: Static<typeof Wanted>,
    { afterId, limit }: { readonly afterId: number; readonly limit: number },
  ) => {
    await reports.takeTurn(tx)
    const page = await reports.list(tx, { groupId: group }, { afterId, upToId, limit })
    const outcomes = await retryReports(tx, page)
    const started = page.filter((_, index) => outcomes[index] === 'started').map(({ id }) => id)
    await reports.markRetried(tx, started, { by, at: clock.now() })
    const counted = { started: started.length, not_retryable: page.length - started.length }
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
    if (!isMany) return (await retryPage(tx, wanted, { afterId: 0, limit: mostRetriedAtOnce })).counted
    await job.enqueue(tx, wanted, { singletonKey: String(wanted.group) })
    return { started: 0, not_retryable: 0 }
  }
}
