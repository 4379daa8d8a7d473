import type { Tx } from '#platform/db/database.ts'
import { invalidFields } from '#platform/errors.ts'
import { orderableDivisions } from '../divisions/index.ts'
import { maxErrors, type CsvTable, type RowError } from '../imports/index.ts'
import { maxBasketQuantities, type Basket } from './basket.ts'
import type { Buyer } from './buyer.ts'
import { basketFull, mixedCurrencies } from './change-basket.ts'
import { checkRows, pairOf, pairOfQuantity, type CheckedRow, type Named } from './check-rows.ts'
import { makeFindProduct } from './find-products.ts'
import { readBasket, removeAll } from './store.ts'
import { setManyPieces } from './table-store.ts'
import { holdBasket } from './whole-basket.ts'

interface Options {
  /** What the table does not have is removed. */
  readonly replace: boolean
}

/**
 * Sets the quantities of a table, all of them or none; 0 removes. What it does not have stays as it is.
 * @throws AppError 400 naming row and column of each problem, `mixed_currencies` or `basket_full`. The transaction is rolled back.
 */
export const importBasket = async (tx: Tx, buyer: Buyer, table: CsvTable, { replace }: Options): Promise<Basket> => {
  const basketId = await holdBasket(tx, buyer.userId)
  const before = await readBasket(tx, basketId, buyer)
  const { checked, errors } = checkRows(table.rows, await named(tx, buyer, table, before))
  const all = [...table.errors, ...errors]
  if (all.length > 0) throw invalidRows(all)
  const kept = replace ? { ...before, quantities: [] } : before
  requireRoom(kept, checked)
  if (replace) await removeAll(tx, basketId)
  await setManyPieces(tx, basketId, checked)
  const basket = await readBasket(tx, basketId, buyer)
  requireOneCurrency(basket, checked)
  return basket
}

const named = async (tx: Tx, buyer: Buyer, { rows }: CsvTable, { quantities }: Basket): Promise<Named> => ({
  findProduct: await makeFindProduct(tx, rows),
  orderable: await orderableDivisions(tx, buyer.divisionId),
  inBasket: quantities,
})

/** By row and column, as in a body with a list of rows. */
const invalidRows = (errors: readonly RowError[]) => {
  const first = errors.toSorted((one, other) => one.row - other.row).slice(0, maxErrors)
  return invalidFields(
    Object.fromEntries(
      first.map(({ row, column, message }) => [column === null ? `rows.${row}` : `rows.${row}.${column}`, [message]]),
    ),
  )
}

/** @throws AppError 400 naming the row with which it would be too much. */
const requireRoom = (kept: Basket, rows: readonly CheckedRow[]): void => {
  const there = new Set(kept.quantities.map(pairOfQuantity))
  const removed = rows.filter((row) => row.quantity === 0 && there.has(pairOf(row)))
  const added = rows.filter((row) => row.quantity > 0 && !there.has(pairOf(row)))
  const tooMany = added[maxBasketQuantities - there.size + removed.length]
  if (tooMany !== undefined) throw basketFull(`Row ${tooMany.row}: `)
}

/** @throws AppError 400 naming the first row that is of another currency than the rest, where any row was put in. */
const requireOneCurrency = ({ quantities }: Basket, rows: readonly CheckedRow[]): void => {
  const currencies = new Map(quantities.map(({ product }) => [product.id, product.currency]))
  if (new Set(currencies.values()).size < 2) return
  const put = rows.filter(({ quantity }) => quantity > 0)
  const first = quantities[0]?.product.currency
  const odd = put.find(({ productId }) => currencies.get(productId) !== first) ?? put[0]
  // A basket becomes of two currencies when prices change theirs; taking something out of it is always possible.
  if (odd === undefined) return
  const added = currencies.get(odd.productId) ?? ''
  const rest = quantities.find(({ product }) => product.currency !== added)?.product.currency ?? ''
  throw mixedCurrencies(rest, added, `Row ${odd.row}: `)
}
