import { Type, type Static } from 'typebox'
import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { Id } from '#platform/http/schemas.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import type { FindPeople } from '../dependencies.ts'
import type { OpenReports } from '../open-reports.ts'
import { changeGroup } from './change-group.ts'

/** What acting on all open reports of a group needs. */
export interface ActOnAllDeps {
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Pick<Jobs, 'define'>
  readonly reports: OpenReports
  readonly findPeople: FindPeople
  /** More than these are left to a job: of those to be resolved, and of those to be tried again. */
  readonly mostAtOnce: number
  readonly mostRetriedAtOnce: number
  /** Reports of one step: creations wait for it. */
  readonly step: number
}

const Wanted = Type.Object({ group: Id, by: Id, up_to_id: Type.Integer({ minimum: 0 }) })

/** Makes the function that resolves a group with its open reports up to an id, by itself or by a job. */
export const makeResolveAll = ({ db, clock, jobs, reports, mostAtOnce, step }: ActOnAllDeps) => {
  const some = (tx: Tx, { group, by, up_to_id: upToId }: Static<typeof Wanted>, limit: number): Promise<number> =>
    reports.resolve(tx, { groupId: group }, { how: 'resolved_all', by, at: clock.now() }, { upToId, limit })

  const job = jobs.define({
    name: 'error-report-groups.resolve-all',
    data: Wanted,
    // Done again after a crash it goes on with what is open.
    handler: async (wanted, { signal }) => {
      let resolved = step
      while (resolved === step) {
        signal.throwIfAborted()
        resolved = await inTransaction(db, (tx) => some(tx, wanted, step))
      }
      return undefined
    },
  })

  /** @returns how many it resolved by itself. Locks the group last, as reports come before it. */
  return async (tx: Tx, wanted: Static<typeof Wanted>, isMany: boolean): Promise<number> => {
    if (isMany) await job.enqueue(tx, wanted)
    const resolved = isMany ? 0 : await some(tx, wanted, mostAtOnce)
    const state = { state: 'resolved', ignoredUntil: undefined, assignee: undefined, note: undefined } as const
    await changeGroup(tx, wanted.group, state, { by: wanted.by, now: clock.now() })
    return resolved
  }
}
