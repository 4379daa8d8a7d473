import type { Tx } from '#platform/db/database.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { makeCheckRow, readRecords, type CsvRow, type CsvTable, type Outcome, type RowError } from '../imports/index.ts'
import { upsertProducts, type ProductRecord } from './store.ts'
import { readPrice } from './product.ts'
import { NewProduct, type NewProductBody } from './schemas.ts'

/** Columns of the table; each means the field of that name. */
export const productColumns = { required: ['remote_id', 'name', 'price', 'currency'], optional: ['is_active'] } as const

interface ProductRow extends ProductRecord {
  readonly row: number
}

/** Creates or changes the products of a table, by remote id. */
export const makeImportProducts =
  ({ clock }: Pick<SliceDeps, 'clock'>) =>
  async (tx: Tx, table: CsvTable): Promise<Outcome> => {
    const { records, errors } = readRecords(table, readRow, { column: 'remote_id', of: ({ remoteId }) => remoteId })
    const { created, updated } = await upsertProducts(tx, records, clock.now())
    return { created, updated, unchanged: records.length - created - updated, errors }
  }

const checkRow = makeCheckRow<NewProductBody>(NewProduct, ['is_active'])

const readRow = (csvRow: CsvRow): ProductRow | RowError[] => {
  const checked = checkRow(csvRow)
  if ('errors' in checked) return [...checked.errors]
  const { remote_id: remoteId, name, price: text, currency, is_active: isActive } = checked.fields
  const reading = readPrice(text, currency)
  if (!reading.ok) return [{ row: csvRow.number, column: reading.field, message: reading.message }]
  return { row: csvRow.number, remoteId, name, price: reading.price, currency, isActive }
}
