import type { Tx } from '#platform/db/database.ts'
import { sentFields } from '#platform/sent-fields.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { makeCheckRow, readRecords, type CsvRow, type CsvTable, type Outcome, type RowError } from '../imports/index.ts'
import { skuTaken } from './change-product.ts'
import { attributesProblem, differs, fieldsOf, readPrice, unsaid, type ProductFields } from './product.ts'
import { ProductRow, type ProductRowFields } from './schemas.ts'
import { holdProducts, productsByRemoteIds, remoteIdsBySku, upsertProducts } from './store.ts'

/** Columns of the table; each means the field of that name. */
export const productColumns = {
  required: ['remote_id', 'name', 'price', 'currency'],
  optional: ['sku', 'base_code', 'category', 'image', 'attributes', 'is_active'],
} as const

/** A product as far as its row says it. */
type ReadFields = Pick<ProductFields, 'remoteId' | 'name' | 'price' | 'currency'> & Partial<ProductFields>
interface ProductRecord {
  readonly row: number
  readonly remoteId: string
  readonly fields: ReadFields
}

/** Creates or changes the products of a table, by remote id. What has no column stays as it is. */
export const makeImportProducts =
  ({ clock }: Pick<SliceDeps, 'clock'>) =>
  async (tx: Tx, table: CsvTable): Promise<Outcome> => {
    const { records, errors } = readRecords(table, readRow, { column: 'remote_id', of: ({ remoteId }) => remoteId })
    await holdProducts(tx)
    const known = await productsByRemoteIds(
      tx,
      records.map(({ remoteId }) => remoteId),
    )
    const wanted = records.map(({ row, remoteId, fields }) => {
      const product = known.get(remoteId)
      const present = product === undefined ? { ...unsaid, sku: remoteId } : fieldsOf(product)
      return { row, fields: { ...present, ...fields } }
    })
    const { writable, refused } = await bySku(tx, wanted)
    const changed = writable.filter((fields) => {
      const product = known.get(fields.remoteId)
      return product === undefined || differs(product, fields)
    })
    await upsertProducts(tx, changed, clock.now())
    const created = changed.filter(({ remoteId }) => !known.has(remoteId)).length
    const updated = changed.length - created
    return { created, updated, unchanged: writable.length - created - updated, errors: [...errors, ...refused] }
  }

interface Wanted {
  readonly row: number
  readonly fields: ProductFields
}

/** Refuses rows with the sku of another product as it is before the import, or of a row above: a sku changes hands in two imports. */
const bySku = async (tx: Tx, wanted: readonly Wanted[]) => {
  const holders = await remoteIdsBySku(
    tx,
    wanted.map(({ fields }) => fields.sku),
  )
  const rowOf = new Map<string, number>()
  const writable: ProductFields[] = []
  const refused: RowError[] = []
  for (const { row, fields } of wanted) {
    const { sku, remoteId } = fields
    const first = rowOf.get(sku)
    if ((holders.get(sku) ?? remoteId) !== remoteId) refused.push({ row, column: 'sku', message: skuTaken })
    else if (first !== undefined) refused.push({ row, column: 'sku', message: `Row ${first} has this already.` })
    else {
      rowOf.set(sku, row)
      writable.push(fields)
    }
  }
  return { writable, refused }
}

const checkRow = makeCheckRow<ProductRowFields>(ProductRow, ['is_active'], ['attributes'])

const readRow = (csvRow: CsvRow): ProductRecord | RowError[] => {
  const checked = checkRow(csvRow)
  if ('errors' in checked) return [...checked.errors]
  const { remote_id: remoteId, name, price: text, currency, attributes, ...more } = checked.fields
  const reading = readPrice(text, currency)
  if (!reading.ok) return [{ row: csvRow.number, column: reading.field, message: reading.message }]
  const problem = attributesProblem(attributes ?? {})
  if (problem !== undefined) return [{ row: csvRow.number, column: 'attributes', message: problem }]
  const { base_code: baseCode, category, image, is_active: isActive } = more
  const sku = more.sku?.trim() === '' ? remoteId : more.sku
  const optional = sentFields({ sku, baseCode, category, image, attributes, isActive })
  return { row: csvRow.number, remoteId, fields: { remoteId, name, price: reading.price, currency, ...optional } }
}
