import { Type } from 'typebox'
import type { Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { Id } from '#platform/http/schemas.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import { keptMs, type Export } from './export.ts'
import type { ExportFailure } from '#failures/export-failures.ts'
import { troubles } from './export-trouble.ts'
import { makeRunExport, type RunDeps } from './run-export.ts'
import { failExport, findExport, quotationNumber, reviveExport } from './store.ts'

/** What became of an export that somebody wants to have tried again; undefined when it is gone. */
export type Revived = 'waiting' | 'completed' | undefined

/** A million rows of xlsx take less than a minute; this is for slow machines and stores. */
const longestSeconds = 3_600

export interface ExportJobDeps extends RunDeps {
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
      for (const id of ids) revived.push(await retry(deps, tx, id, start))
      return revived
    },
  }
}

const retry = async (
  { clock }: ExportJobDeps,
  tx: Tx,
  id: number,
  start: (tx: Tx, id: number) => Promise<void>,
): Promise<Revived> => {
  const { revived, found } = await reviveExport(tx, id, new Date(clock.now().getTime() + keptMs))
  if (revived) await start(tx, id)
  if (found === undefined) return undefined
  return found.status === 'completed' ? 'completed' : 'waiting'
}

/**
 * Tells what the last try has noted. The reason that the job has is for the log: it may be in the words of the database, or of
 * another machine. Takes the turn of the error reports before the export, as those who have one tried again by its report do.
 */
const giveUp = async ({ database, clock, failures }: ExportJobDeps, id: number): Promise<void> => {
  const found = await findExport(database.db, id)
  if (found === undefined || found.status === 'completed') return
  const reason = found.error ?? troubles.unfinished
  const number = found.quotationId === null ? undefined : await quotationNumber(database.db, found.quotationId)
  await inTransaction(database.db, async (tx) => {
    const now = clock.now()
    await failures.report(tx, failureOf(found, { reason, number, now }))
    // Another try has finished it meanwhile.
    if (!(await failExport(tx, id, reason, now))) await failures.resolve(tx, id)
  })
}

interface Cause {
  readonly reason: string
  /** Of the quotation whose items are exported. */
  readonly number: string | undefined
  readonly now: Date
}

const failureOf = (
  { id, quotationId, format, fields, query }: Export,
  { reason, number, now }: Cause,
): ExportFailure => ({
  exportId: id,
  label: number === undefined ? `Export ${id} of quotations` : `Export ${id} of the items of ${number}`,
  quotationId,
  at: now,
  errorDesc: reason,
  request: JSON.stringify({ format, fields, ...query }),
})
