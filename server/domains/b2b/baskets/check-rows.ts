import type { CsvRow, RowError } from '../imports/index.ts'
import type { Product } from '../products/index.ts'
import { quantityProblem, wholeNumber } from './basket-fields.ts'
import type { BasketQuantity } from './basket.ts'
import { noProduct } from './find-products.ts'
import { makeFindDivision, notOrderable, type CellProblem, type TableDivision } from './table-divisions.ts'
import type { Pieces } from './table-store.ts'

/** What rows can name. */
export interface Named {
  readonly findProduct: (row: CsvRow) => Product | CellProblem
  /** Those that the buyer orders for. */
  readonly orderable: readonly TableDivision[]
  readonly inBasket: readonly BasketQuantity[]
}

/** A row that can be done as it is, but for what the rest of the basket is. */
export interface CheckedRow extends Pieces {
  readonly row: number
}

interface Checked {
  readonly checked: readonly CheckedRow[]
  readonly errors: readonly RowError[]
}

/** Rows as pieces of products for divisions, each pair once, and what keeps the others from that. */
export const checkRows = (rows: readonly CsvRow[], named: Named): Checked => {
  const rowOf = new Map<string, number>()
  const checked: CheckedRow[] = []
  const errors: RowError[] = []
  const check = makeCheckRow(named)
  for (const row of rows) {
    const found = check(row)
    const first = 'problems' in found ? undefined : rowOf.get(pairOf(found))
    if ('problems' in found) errors.push(...found.problems.map((problem) => ({ row: row.number, ...problem })))
    else if (first !== undefined)
      errors.push({ row: row.number, column: null, message: `Row ${first} is of this product and division already.` })
    else {
      rowOf.set(pairOf(found), row.number)
      checked.push({ row: row.number, ...found })
    }
  }
  return { checked, errors }
}

/** A product and a division. */
export const pairOf = ({ productId, divisionId }: Omit<Pieces, 'quantity'>): string => `${productId} ${divisionId}`
export const pairOfQuantity = ({ product, division }: BasketQuantity): string =>
  pairOf({ productId: product.id, divisionId: division.id })

const makeCheckRow = ({ findProduct, orderable, inBasket }: Named) => {
  const inBasketPairs = new Set(inBasket.map(pairOfQuantity))
  const orderableIds = new Set(orderable.map(({ id }) => id))
  const findDivision = makeFindDivision(orderable, inBasket)
  return (row: CsvRow): Pieces | { readonly problems: readonly CellProblem[] } => {
    const product = findProduct(row)
    const division = findDivision(row)
    const quantity = wholeNumber(row.cells['quantity'] ?? '')
    const pieces = piecesOf(product, division, quantity)
    // What is in the basket can be removed, also where it was switched off since.
    if (pieces?.quantity === 0 && inBasketPairs.has(pairOf(pieces))) return pieces
    const problems = [
      'id' in product && !product.isActive ? noProduct(row) : product,
      'id' in division && !orderableIds.has(division.id) ? notOrderable : division,
      { column: 'quantity', message: quantityProblem(quantity, 0) },
    ].filter((found): found is CellProblem => 'message' in found && found.message !== undefined)
    return pieces === undefined || problems.length > 0 ? { problems } : pieces
  }
}

const piecesOf = (
  product: Product | CellProblem,
  division: TableDivision | CellProblem,
  quantity: number | undefined,
): Pieces | undefined =>
  'id' in product && 'id' in division && quantity !== undefined
    ? { productId: product.id, divisionId: division.id, quantity }
    : undefined
