import type { Logger } from 'pino'
import type { Histogram } from 'prom-client'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { JobOutcome } from '#platform/jobs/job.ts'
import { maxRowsOf, TooManyRows, type Written } from '#platform/spreadsheets/table-file.ts'
import { fileKey, keptMs, type Export, type ExportFiles } from './export.ts'
import type { ExportFailures } from '#failures/export-failures.ts'
import { tooManyRows } from './requested.ts'
import { columnTypes, copyStatement, countRows } from './rows-store.ts'
import { beginTry, changeTry } from './store.ts'

export interface RunDeps {
  readonly database: Pick<Database, 'db' | 'copyOut'>
  readonly clock: Clock
  readonly log: Logger
  readonly files: ExportFiles
  readonly failures: ExportFailures
  /** Counts files and how long they took. */
  readonly seconds: Histogram<'format'>
  /** Expires quotations whose time is over. */
  readonly expireDue: () => Promise<unknown>
}

/** Makes the file of an export in one try. Each try has a file of its own, and all rows come from one statement. */
export const makeRunExport =
  (deps: RunDeps) =>
  async (id: number, signal: AbortSignal): Promise<JobOutcome> => {
    const { database, clock } = deps
    const tried = await beginTry(database.db, id, clock.now())
    if (tried === undefined) return undefined
    try {
      await makeFile(deps, tried, signal)
      return undefined
    } catch (error) {
      await removeTry(deps, tried, tried.attempt)
      if (!(error instanceof TooManyRows)) throw error
      const why = tooManyRows(error.format, error.rows)
      await changeTry(database.db, tried, { error: why })
      return { giveUp: why }
    }
  }

const makeFile = async (deps: RunDeps, tried: Export, signal: AbortSignal): Promise<void> => {
  // What tries before it have left, because they died or were overtaken.
  for (let attempt = 1; attempt < tried.attempt; attempt++) await removeTry(deps, tried, attempt)
  await deps.expireDue()
  const made = deps.seconds.startTimer({ format: tried.format })
  const written = await writeAndKeep(deps, tried, signal)
  made()
  await complete(deps, tried, written)
}

/** Removes what a try has left. Where that fails, whoever removes the export does it, and nothing else fails by it. */
const removeTry = async ({ files, log }: RunDeps, tried: Export, attempt: number): Promise<void> => {
  try {
    await files.remove(fileKey(tried, attempt))
  } catch (error) {
    log.warn({ err: error, export: tried.id, attempt }, 'exports.file_not_removed')
  }
}

const writeAndKeep = async (deps: RunDeps, tried: Export, signal: AbortSignal): Promise<Written> => {
  const { database, files } = deps
  const { db } = database
  const { format } = tried
  const rowsTotal = await countRows(db, tried)
  await changeTry(db, tried, { rowsTotal })
  if (rowsTotal > maxRowsOf[format]) throw new TooManyRows(format, rowsTotal)
  const overtaken = new AbortController()
  const either = AbortSignal.any([signal, overtaken.signal])
  const notes = makeNotes(deps, tried, () => overtaken.abort(new Error('Somebody else makes this export now.')))
  const key = fileKey(tried, tried.attempt)
  const rows = database.copyOut(copyStatement(db, tried), either)
  const table = { format, columns: columnTypes(tried), rows, signal: either, onProgress: notes.note }
  const written = await files.write(key, table)
  await files.keep(key, { format, signal: either })
  await notes.written()
  return written
}

/** Writes down how far a try is, one note at a time; what comes meanwhile is left out. */
const makeNotes = ({ database, log }: RunDeps, tried: Export, onOvertaken: () => void) => {
  let writing: Promise<void> | undefined
  const noteDone = async (rowsDone: number): Promise<void> => {
    try {
      if (!(await changeTry(database.db, tried, { rowsDone }))) onOvertaken()
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
    return changeTry(tx, tried, {
      status: 'completed',
      rowsDone: rows,
      rowsTotal: rows,
      file,
      bytes,
      finishedAt: now,
      expiresAt,
    })
  })
  if (!isMine) await files.remove(file)
}
