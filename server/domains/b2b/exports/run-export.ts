import type { Logger } from 'pino'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { JobOutcome } from '#platform/jobs/job.ts'
import { mostRowsOf, TooManyRows, type Written } from '#platform/spreadsheets/table-file.ts'
import { fileKey, keptMs, type Export } from './export.ts'
import type { ExportFailures } from './export-failures.ts'
import type { ExportFiles } from './export-files.ts'
import { tooManyRows } from './requested.ts'
import { columnTypes, copyStatement, countRows } from './rows-store.ts'
import { beginTry, completeTry, noteProgress } from './store.ts'

export interface RunDeps {
  readonly database: Pick<Database, 'db' | 'copyOut'>
  readonly clock: Clock
  readonly log: Logger
  readonly files: ExportFiles
  readonly failures: ExportFailures
  /** Expires quotations whose time is over. */
  readonly expireDue: () => Promise<void>
}

/**
 * Makes the function that tries to make the file of an export, from its first row on. Whoever dies meanwhile has done nothing:
 * the file gets its place when it is whole, and each try has one of its own. All rows come from one statement, so they are of
 * one moment.
 */
export const makeRunExport =
  (deps: RunDeps) =>
  async (id: number, signal: AbortSignal): Promise<JobOutcome> => {
    const { database, clock, expireDue } = deps
    const tried = await beginTry(database.db, id, clock.now())
    if (tried === undefined) return undefined
    await removeEarlier(deps, tried)
    await expireDue()
    try {
      const written = await write(deps, tried, signal)
      await complete(deps, tried, written)
      return undefined
    } catch (error) {
      await deps.files.remove(fileKey(tried, tried.attempt))
      if (error instanceof TooManyRows) return { giveUp: tooManyRows(error.format, error.rows) }
      throw error
    }
  }

/** What tries before it have left, because they died or were overtaken. */
const removeEarlier = async ({ files }: RunDeps, tried: Export): Promise<void> => {
  for (let attempt = 1; attempt < tried.attempt; attempt++) await files.remove(fileKey(tried, attempt))
}

const write = async (deps: RunDeps, tried: Export, signal: AbortSignal): Promise<Written> => {
  const { database, files } = deps
  const { db } = database
  const rowsTotal = await countRows(db, tried)
  await noteProgress(db, tried, { rowsTotal })
  if (rowsTotal > mostRowsOf[tried.format]) throw new TooManyRows(tried.format, rowsTotal)
  const overtaken = new AbortController()
  const either = AbortSignal.any([signal, overtaken.signal])
  const notes = makeNotes(deps, tried, () => overtaken.abort(new Error('Somebody else makes this export now.')))
  const written = await files.write(fileKey(tried, tried.attempt), {
    format: tried.format,
    columns: columnTypes(tried),
    rows: database.copyOut(copyStatement(db, tried), either),
    signal: either,
    onProgress: notes.note,
  })
  await notes.written()
  return written
}

/** Writes down how far a try is, one note at a time; what comes meanwhile is left out. */
const makeNotes = ({ database, log }: RunDeps, tried: Export, onOvertaken: () => void) => {
  let writing: Promise<void> | undefined
  const noteDone = async (rowsDone: number): Promise<void> => {
    try {
      if (!(await noteProgress(database.db, tried, { rowsDone }))) onOvertaken()
    } catch (error) {
      log.warn({ err: error, export: tried.id }, 'exports.progress_not_written')
    }
    writing = undefined
  }
  return {
    note: (rowsDone: number): void => {
      writing ??= noteDone(rowsDone)
    },
    written: async (): Promise<void> => writing,
  }
}

const complete = async (deps: RunDeps, tried: Export, { rows, bytes }: Written): Promise<void> => {
  const { database, clock, files, failures } = deps
  const file = fileKey(tried, tried.attempt)
  const isMine = await inTransaction(database.db, async (tx) => {
    await failures.resolve(tx, tried.id)
    const now = clock.now()
    const expiresAt = new Date(now.getTime() + keptMs)
    return completeTry(tx, tried, { rowsDone: rows, rowsTotal: rows, file, bytes, finishedAt: now, expiresAt })
  })
  if (!isMine) await files.remove(file)
}
