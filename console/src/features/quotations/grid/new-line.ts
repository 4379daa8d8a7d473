import { parseMoney } from '#platform/money.ts'
import type { RowOf } from '#api/types.ts'
import type { Line, Share } from '../draft/terms.ts'

export type Product = RowOf<'/api/v1/products'>

/** A line of a product that is not in the quotation yet, at its list price until it is saved. */
export const newLine = (
  { remote_id: remoteId, name, sku, price }: Product,
  shares: readonly Share[],
  digits: number,
): Line => {
  const listPrice = parseMoney(price, digits) ?? 0n
  return { key: `new:${remoteId}`, product: name, sku, remoteId, listPrice, price: listPrice, shares, isRemoved: false }
}
