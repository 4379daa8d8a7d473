import { Type } from 'typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { Id } from '#platform/http/schemas.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import type { Clock } from '#platform/clock.ts'
import { fileKey, keptMs, type ExportFiles } from './export.ts'
import { makeRunExport, type RunDeps } from './run-export.ts'
import { deleteExports, failExport, findExpired, findExport, quotationNumber, reviveExport } from './store.ts'

/** What became of an export that somebody wants to have tried again; undefined when it is gone. */
type Revived = 'waiting' | 'completed' | undefined

/** A million rows of xlsx take less than a minute; this is for slow machines and stores. */
const longestSeconds = 3_600

interface ExportJobDeps extends RunDeps {
  readonly jobs: Pick<Jobs, 'define'>
}

/** Defines the job that makes exports, one at a time in each process. */
export const defineExportJob = (deps: ExportJobDeps) => {
  const run = makeRunExport(deps)
  const job = deps.jobs.define({
    name: 'export',
    data: Type.Object({ export: Id }),
    attempts: 5,
    timeoutSeconds: longestSeconds,
    handler: ({ export: id }, { signal }) => run(id, signal),
    onFailed: ({ export: id }) => giveUp(deps, id),
  })
  const start = (tx: Tx, id: number): Promise<void> => job.enqueue(tx, { export: id })
  return {
    start,
    /** Has these made after all where they failed. @returns what became of each, in their order. */
    async retryMany(tx: Tx, ids: readonly number[]): Promise<Revived[]> {
      const revived: Revived[] = []
      for (const id of ids) {
        const { isRevived, now } = await reviveExport(tx, id, new Date(deps.clock.now().getTime() + keptMs))
        if (isRevived) await start(tx, id)
        revived.push(now && (now.status === 'completed' ? 'completed' : 'waiting'))
      }
      return revived
    },
  }
}

/** For its user, who is not to see what a database or another machine said. */
const notMade = 'The file could not be made. The log of the server says why.'

/** Reports why the last try failed, if its user can mend that. Locks reports first. */
const giveUp = async ({ database, clock, failures }: ExportJobDeps, id: number): Promise<void> => {
  const found = await findExport(database.db, id)
  if (found === undefined || found.status === 'completed') return
  const errorDesc = found.error ?? notMade
  const { quotationId, format, fields, query } = found
  const number = quotationId === null ? undefined : await quotationNumber(database.db, quotationId)
  const label = number === undefined ? `Export ${id} of quotations` : `Export ${id} of the items of ${number}`
  const request = JSON.stringify({ format, fields, ...query })
  await inTransaction(database.db, async (tx) => {
    const at = clock.now()
    await failures.report(tx, { exportId: id, label, quotationId, at, errorDesc, request })
    // Another try has finished it meanwhile.
    if (!(await failExport(tx, id, errorDesc, at))) await failures.resolve(tx, id)
  })
}

/** Exports of one step. */
const atOnce = 50

/** Removes expired exports, the files of all of their tries first: a process that dies in between leaves them to the next run. */
export const makeRemoveOld =
  ({ db, clock, files }: { db: Db; clock: Clock; files: Pick<ExportFiles, 'remove'> }) =>
  async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const now = clock.now()
      const expired = await findExpired(db, now, atOnce)
      if (expired.length === 0) return
      for (const one of expired)
        for (let attempt = 1; attempt <= one.attempt; attempt++) await files.remove(fileKey(one, attempt))
      const ids = expired.map(({ id }) => id)
      await deleteExports(db, ids, now)
    }
  }
