import { formatMoney, parseMoney, type Minor } from '#platform/money.ts'
import { editDecimal, parseDecimal } from '#ui/texts/decimal.ts'
import { withCells, withLineDiscount, type CellEdit, type Edits } from '../draft/edits.ts'
import { percentDigits, unitsOf, type Discount, type Line, type Terms } from '../draft/terms.ts'
import { parseQuantity } from './paste.ts'

export type Column =
  | { readonly kind: 'product' | 'together' | 'list' | 'price' | 'discount' | 'sum' }
  | { readonly kind: 'division'; readonly id: number; readonly name: string }

export const isEditable = ({ kind }: Column): boolean =>
  kind === 'division' || kind === 'price' || kind === 'discount' || kind === 'product'

/** What a cell becomes. */
export type CellChange = CellEdit | { readonly line: string; readonly discount: Discount | undefined }

/** As many as the API takes for a division. */
export const mostPieces = 1_000_000

let discountsMade = 0
/** A key for a discount that is not saved yet. */
export const newDiscountKey = (): string => `new:${++discountsMade}`

/** Reads a discount: `5` and `5%` are percent, `12.50 EUR` is an amount. null: none. undefined: neither. */
export const parseDiscount = (
  text: string,
  { currency, digits }: Pick<Terms, 'currency' | 'digits'>,
): Pick<Discount, 'type' | 'value'> | null | undefined => {
  const isAmount = new RegExp(`${currency}|\\p{Sc}`, 'iu').test(text)
  const number = text.replace(new RegExp(`${currency}|\\p{Sc}|%|^-`, 'giu'), '').trim()
  if (number === '') return null
  const decimal = parseDecimal(number)
  const value = decimal === undefined ? undefined : parseMoney(decimal, isAmount ? digits : percentDigits)
  if (value === undefined || (!isAmount && value > 1_000_000n)) return undefined
  if (value === 0n) return null
  return { type: isAmount ? 'fixed' : 'percentage', value }
}

/** What a text that was typed or pasted into a cell makes of it; undefined: it makes no sense there. */
export const changeOf = (column: Column, line: Line, text: string, terms: Terms): CellChange | undefined => {
  const { key } = line
  if (column.kind === 'division') {
    const quantity = parseQuantity(text)
    if (quantity === undefined || quantity > mostPieces) return undefined
    return { line: key, edit: { quantities: new Map([[column.id, quantity]]) } }
  }
  if (column.kind === 'price') {
    const decimal = parseDecimal(text.replace(new RegExp(`${terms.currency}|\\p{Sc}`, 'giu'), ''))
    const price = decimal === undefined ? undefined : parseMoney(decimal, terms.digits)
    return price === undefined ? undefined : { line: key, edit: { price } }
  }
  if (column.kind !== 'discount') return undefined
  const given = parseDiscount(text, terms)
  if (given === undefined) return undefined
  return { line: key, discount: given === null ? undefined : { ...given, key: newDiscountKey(), line: key } }
}

/** What Delete makes of a cell: no pieces, the list price, no discount; of the product, no line. */
export const clearOf = (column: Column, { key, listPrice, isRemoved }: Line): CellChange | undefined => {
  if (column.kind === 'product') return { line: key, edit: { isRemoved: !isRemoved } }
  if (column.kind === 'division') return { line: key, edit: { quantities: new Map([[column.id, 0]]) } }
  if (column.kind === 'price') return { line: key, edit: { price: listPrice } }
  return column.kind === 'discount' ? { line: key, discount: undefined } : undefined
}

export const applyChanges = (terms: Terms, edits: Edits, changes: readonly CellChange[]): Edits => {
  const cells = changes.filter((one) => 'edit' in one)
  return changes
    .filter((one) => 'discount' in one)
    .reduce((all, { line, discount }) => withLineDiscount(terms, all, line, discount), withCells(edits, cells))
}

/** Percent without zeros that say nothing: 7.5. */
export const percentOf = (value: bigint): string => formatMoney(value, percentDigits).replace(/\.?0+$/, '')

/** A discount as somebody edits it. */
export const discountText = ({ type, value }: Pick<Discount, 'type' | 'value'>, { currency, digits }: Terms): string =>
  type === 'fixed' ? `${editDecimal(formatMoney(value, digits))} ${currency}` : `${editDecimal(percentOf(value))}%`

interface Beside {
  readonly terms: Terms
  readonly discounts: readonly Discount[]
  readonly sum: Minor | undefined
}

/** The text of a cell as it is edited and copied. */
export const textOf = (column: Column, line: Line, { terms, discounts, sum }: Beside): string => {
  const amount = (value: Minor): string => editDecimal(formatMoney(value, terms.digits))
  switch (column.kind) {
    case 'product':
      return line.sku
    case 'division':
      return String(line.shares.find(({ id }) => id === column.id)?.quantity ?? 0)
    case 'together':
      return String(unitsOf(line.shares))
    case 'list':
      return amount(line.listPrice)
    case 'price':
      return amount(line.price)
    case 'discount':
      return discounts.map((one) => discountText(one, terms)).join(' + ')
    case 'sum':
      return amount(sum ?? 0n)
  }
}
