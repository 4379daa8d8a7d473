import type { Tx } from '#platform/db/database.ts'
import { textProblem } from '#platform/http/json-body.ts'
import type { CsvRow } from '../imports/index.ts'
import { productsByRemoteIds, remoteIdsBySku, type Product } from '../products/index.ts'
import type { CellProblem } from './table-divisions.ts'

/** Finds the products that rows name, by remote id, or by sku where there is no remote id. Both have to be of one product. */
export const makeFindProduct = async (
  tx: Tx,
  rows: readonly CsvRow[],
): Promise<(row: CsvRow) => Product | CellProblem> => {
  const named = (column: string): string[] => [...new Set(rows.map((row) => storable(row.cells[column])))]
  const bySku = await remoteIdsBySku(tx, named('sku'))
  const products = await productsByRemoteIds(tx, [...named('product_remote_id'), ...bySku.values()])
  return (row) => {
    const { product_remote_id: remoteId = '', sku = '' } = row.cells
    const product = products.get(remoteId === '' ? (bySku.get(sku) ?? '') : remoteId)
    if (product === undefined) return noProduct(row)
    // Whoever changes one of them in an export means another product, and we do not know by which.
    const isOther = remoteId !== '' && sku !== '' && sku !== product.sku
    return isOther ? { column: 'sku', message: 'The product of this product_remote_id has another sku.' } : product
  }
}

/** What cannot be stored is the name of nothing, and the database would not even take it. */
const storable = (name = ''): string => (textProblem(name) === undefined ? name : '')

export const noProduct = ({ cells }: CsvRow): CellProblem => ({
  column: (cells['product_remote_id'] ?? '') === '' && 'sku' in cells ? 'sku' : 'product_remote_id',
  message: 'There is no such product that can be ordered.',
})
