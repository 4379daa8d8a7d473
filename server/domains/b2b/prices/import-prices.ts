import type { Tx } from '#platform/db/database.ts'
import { AppError } from '#platform/errors.ts'
import { textProblem } from '#platform/http/json-body.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { makeCheckRow, readRecords, type CsvRow, type CsvTable, type Outcome, type RowError } from '../imports/index.ts'
import { productsByRemoteIds, readPrice, type Product } from '../products/index.ts'
import { divisionsByErpCodes, upsertPrices, type PriceRecord } from './import-store.ts'
import { periodProblem, readFrom, readTo } from './price.ts'
import { PriceRow, type PriceRowFields } from './schemas.ts'

/** Columns of the table; each means the field of that name. */
export const priceColumns = {
  required: ['product_remote_id', 'erp_code', 'name', 'price', 'valid_from'],
  optional: ['covers', 'valid_to'],
} as const

/** What the rows of a table name. */
interface Named {
  readonly products: ReadonlyMap<string, Product>
  /** By ERP code, as it is written in the table. */
  readonly divisions: ReadonlyMap<string, number>
}
interface ReadPrice extends PriceRecord {
  readonly row: number
}

/** Creates or changes the prices of a table; what tells them apart is all but the price and the end of its time. */
export const makeImportPrices =
  ({ clock }: Pick<SliceDeps, 'clock'>) =>
  async (tx: Tx, table: CsvTable): Promise<Outcome> => {
    const named: Named = {
      products: await productsByRemoteIds(tx, cellsOf(table, 'product_remote_id')),
      divisions: await divisionsByErpCodes(tx, cellsOf(table, 'erp_code')),
    }
    const key = { column: 'valid_from', of: keyOf }
    const { records, errors } = readRecords<ReadPrice>(table, (row) => readRow(row, named), key)
    const { created, updated } = await upsertPrices(tx, records, clock.now())
    return { created, updated, unchanged: records.length - created - updated, errors }
  }

/** What is written in a column, without what cannot be in the database. */
const cellsOf = ({ rows }: CsvTable, column: string): string[] => {
  const cells = new Set(rows.map((row) => row.cells[column] ?? ''))
  return [...cells].filter((cell) => textProblem(cell) === undefined)
}

const keyOf = ({ productId, divisionId, covers, name, validFrom }: PriceRecord): string =>
  JSON.stringify([productId, divisionId, covers, name, validFrom])

const checkRow = makeCheckRow<PriceRowFields>(PriceRow, [])

const readRow = (csvRow: CsvRow, { products, divisions }: Named): ReadPrice | RowError[] => {
  const checked = checkRow(csvRow)
  if ('errors' in checked) return [...checked.errors]
  const row = csvRow.number
  const { product_remote_id: remoteId, erp_code: erpCode, name, covers = 'division' } = checked.fields
  const product = products.get(remoteId)
  const divisionId = divisions.get(erpCode)
  if (product === undefined || divisionId === undefined) {
    return [
      ...(product === undefined ? [{ row, column: 'product_remote_id', message: 'There is no such product.' }] : []),
      ...(divisionId === undefined ? [{ row, column: 'erp_code', message: 'No division has this ERP code.' }] : []),
    ]
  }
  const terms = readTerms(checked.fields, product)
  if ('column' in terms) return [{ row, ...terms }]
  return { row, productId: product.id, divisionId, covers, name, ...terms }
}

type Problem = Omit<RowError, 'row'>

/** How much it is, and when it holds. */
const readTerms = (
  { price, valid_from: from, valid_to: to }: PriceRowFields,
  { currency }: Product,
): Pick<PriceRecord, 'price' | 'currency' | 'validFrom' | 'validTo'> | Problem => {
  const reading = readPrice(price, currency)
  if (!reading.ok) return { column: reading.field, message: reading.message }
  const period = readPeriod(from, to)
  if ('column' in period) return period
  const problem = periodProblem({ ...period, validTo: period.validTo ?? null })
  return problem === undefined
    ? { price: reading.price, currency, ...period }
    : { column: 'valid_to', message: problem }
}

const readPeriod = (from: string, to: string | undefined): Pick<PriceRecord, 'validFrom' | 'validTo'> | Problem => {
  try {
    return { validFrom: readFrom(from), validTo: endIn(to) }
  } catch (error) {
    const fields = error instanceof AppError ? error.details.fields : undefined
    const [[column, [message = '']] = ['', []]] = Object.entries(fields ?? {})
    if (column === '') throw error
    return { column, message }
  }
}

/** An empty cell is no end; without the column it stays as it is. */
const endIn = (cell: string | undefined): Date | null | undefined => {
  if (cell === undefined) return undefined
  return cell === '' ? null : readTo(cell)
}
