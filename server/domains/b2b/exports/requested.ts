import type { Db, Tx } from '#platform/db/database.ts'
import { invalidField, orNotFound, tooManyRequests } from '#platform/errors.ts'
import { maxRowsOf, tableFormats, type TableFormat } from '#platform/spreadsheets/table-file.ts'
import { newUuid } from '#platform/auth/random-keys.ts'
import type { Clock } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { itemExportFields, readSettings } from '../settings/index.ts'
import { keptMs, type Export, type ExportQuery, type ExportRequest } from './export.ts'
import { documentedListFields, listExportFields } from './fields.ts'
import { copyStatement, countRows } from './rows-store.ts'
import { countUnfinished, insertExport, lockRequester, quotationNumber } from './store.ts'

/** What the query of a request says. */
export interface Asked extends ExportQuery {
  readonly fields?: readonly string[]
  readonly format: TableFormat
}

/** An export of quotations. @throws AppError 400 that names a field, a filter or the format. */
export const listRequest = async (
  db: Db,
  { userId }: Pick<ExportRequest, 'userId'>,
  asked: Asked,
): Promise<ExportRequest> => {
  const { fields = [], format, ...query } = asked
  const named = namedFields(fields, listExportFields)
  return possible(db, {
    userId,
    quotationId: null,
    format,
    fields: named.length === 0 ? documentedListFields : named,
    query,
  })
}

/** An export of the items of a quotation: the fields that are asked for, and those of the setting (document 3). @throws AppError 400, 404. */
export const itemsRequest = async (
  db: Db,
  { userId, quotationId }: { readonly userId: number; readonly quotationId: number },
  asked: Asked,
): Promise<ExportRequest> => {
  const { fields = [], format, limit } = asked
  const named = namedFields(fields, itemExportFields)
  orNotFound(await quotationNumber(db, quotationId))
  const { QUOTATION_ITEM_EXPORT_FIELDS: always } = await readSettings(db)
  const rest = itemExportFields.filter((field) => always.includes(field) && !named.includes(field))
  const query = limit === undefined ? {} : { limit }
  return possible(db, { userId, quotationId, format, fields: [...named, ...rest], query })
}

/** Fields may be repeated, or stand in one text with commas; one that is named twice is one column. */
const namedFields = (texts: readonly string[], allowed: readonly string[]): string[] => {
  const names = texts.flatMap((text) => text.split(',')).map((name) => name.trim())
  const given = names.filter((name) => name !== '')
  const unknown = given.find((name) => !allowed.includes(name))
  if (unknown !== undefined)
    throw invalidField('fields', `Unknown field “${unknown.slice(0, 100)}”. Expected some of: ${allowed.join(', ')}.`)
  return [...new Set(given)]
}

/** Refuses what does not fit on the one sheet of an xls or xlsx, before it starts. */
const possible = async (db: Db, request: ExportRequest): Promise<ExportRequest> => {
  // Also where nothing has to be counted: it tells whether the filters are any.
  copyStatement(db, request)
  const most = maxRowsOf[request.format]
  const rows = most === Number.POSITIVE_INFINITY ? 0 : await countRows(db, request)
  if (rows > most) throw invalidField('format', tooManyRows(request.format, rows))
  return request
}

/** Why a file of a format cannot be made. @param rows that it would have. */
export const tooManyRows = (format: TableFormat, rows: number): string => {
  const able = tableFormats.filter((other) => rows <= maxRowsOf[other]).join(' and ')
  const most = grouped(maxRowsOf[format])
  return `An ${format} holds ${most} rows, and this export has ${grouped(rows)}. Formats that can hold it: ${able}.`
}
const grouped = (count: number): string => count.toLocaleString('en-US')

/** Exports of a person that are not finished: the next one of somebody else waits for no more of them. */
const maxUnfinished = 5
const unfinishedSeconds = 10

/** Makes the function that has an export made. It throws AppError 429. */
export const makeAskForExport =
  ({ db, clock, start }: { db: Db; clock: Clock; start: (tx: Tx, exportId: number) => Promise<void> }) =>
  (request: ExportRequest): Promise<Export> =>
    inTransaction(db, async (tx) => {
      const now = clock.now()
      await lockRequester(tx, request.userId)
      if ((await countUnfinished(tx, request.userId, now)) >= maxUnfinished) {
        const message = `${maxUnfinished} of your exports are not finished yet. Ask again when one of them is.`
        throw tooManyRequests(message, maxUnfinished, unfinishedSeconds)
      }
      const made = { cacheKey: newUuid(), createdAt: now, expiresAt: new Date(now.getTime() + keptMs) }
      const asked = await insertExport(tx, request, made)
      await start(tx, asked.id)
      return asked
    })
