import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toApiError, type ApiError } from '#api/api-error.ts'
import { sendTable } from '#api/send-table.ts'
import type { Schema } from '#api/types.ts'
import { readTable, withCell, writeTable, type Table } from './table.ts'

export type ImportPath = `/api/v1/${'divisions' | 'products' | 'prices'}/import`
export type ImportResult = Schema<'ImportResult'>

export interface ImportState {
  readonly file: File
  /** Which of the files that were chosen it is. */
  readonly place: number
  /** undefined: the file is no csv; the server's answer says what is wrong with it. */
  readonly table: Table | undefined
  /** Rows of which cells were changed here, and which are not loaded yet. */
  readonly mended: ReadonlySet<number>
  /** Whether that was after the server looked at them. */
  readonly isChanged: boolean
  readonly isSending: boolean
  /** What the server said last: what would become of the rows, or what became of them. */
  readonly result: ImportResult | undefined
  readonly error: ApiError | undefined
}

const asFile = (table: Table, name: string): File => new File([writeTable(table)], name, { type: 'text/csv' })

/** What is known of a file that nobody has looked at. */
const unread = { mended: new Set<number>(), isChanged: false, isSending: true, result: undefined, error: undefined }

/** The rows of a file; of one that is no text in UTF-8, or no csv, none: it goes as it is, and is refused in the server's words. */
const tableIn = async (file: File): Promise<Table | undefined> => {
  try {
    return await readTable(new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()))
  } catch {
    return undefined
  }
}

/**
 * A table on its way into the server: chosen, looked at without writing anything, mended, loaded. What the server answers is
 * the truth; here is only what the file has in its cells.
 */
export const useImport = (path: ImportPath) => {
  const queries = useQueryClient()
  const [state, setState] = useState<ImportState>()
  const send = async (sent: ImportState, isDryRun: boolean): Promise<void> => {
    setState({ ...sent, isSending: true })
    const { file, table } = sent
    const end = await sendTable(path, table === undefined ? file : asFile(table, file.name), {
      dry_run: isDryRun,
    }).then(
      (result) => ({ result, error: undefined }),
      async (error: unknown) => ({ result: undefined, error: await toApiError(error) }),
    )
    setState((last) => {
      // Another file was chosen while this one was looked at.
      if (last?.file !== file) return last
      // What was typed meanwhile is kept, and not looked at yet.
      const isChanged = last.table !== table
      const isLoaded = !isDryRun && end.error === undefined && !isChanged
      return { ...last, ...end, isSending: false, isChanged, mended: isLoaded ? new Set() : last.mended }
    })
    if (!isDryRun) await queries.invalidateQueries()
  }
  const choose = async (file: File): Promise<void> => {
    const table = await tableIn(file)
    const place = (state?.place ?? 0) + 1
    await send({ ...unread, file, place, table }, true)
  }
  return {
    state,
    choose: (file: File): void => void choose(file),
    change: (row: number, column: number, cell: string): void =>
      setState((last) =>
        last?.table === undefined ? last : { ...last, table: withCell(last.table, row, column, cell), isChanged: true },
      ),
    check: (): void => void (state && send(state, true)),
    load: (): void => void (state && send(state, false)),
  }
}

export type Importing = ReturnType<typeof useImport>
