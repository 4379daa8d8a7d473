import type { Tx } from '#platform/db/database.ts'
import { refuseItems } from '../request-fields.ts'
import { unknownSkus } from './store.ts'

type Named = readonly { readonly sku: string }[]

/** @throws AppError 400 at each sku of a body's `items` that stands there a second time. */
export const refuseDoubles = (items: Named): void => {
  const seen = new Set<string>()
  refuseItems(items, ({ sku }) => {
    if (seen.has(sku)) return { field: 'sku', message: 'This sku is in the list already; add up the quantities.' }
    seen.add(sku)
    return undefined
  })
}

/** @throws AppError 400 at each sku of a body's `items` that no location ever had anything of. */
export const refuseUnknownSkus = async (tx: Tx, items: Named): Promise<void> => {
  const skus = items.map(({ sku }) => sku)
  const unknown = await unknownSkus(tx, skus)
  const message = 'No stock location has ever had this sku.'
  refuseItems(items, ({ sku }) => (unknown.has(sku) ? { field: 'sku', message } : undefined))
}
