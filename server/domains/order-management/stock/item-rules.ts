import { refuseItems } from '../request-fields.ts'

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

/** @throws AppError 400 at each sku of a body's `items` that is unknown: no location ever had anything of it. */
export const refuseUnknownSkus = (items: Named, unknown: readonly string[]): void => {
  const message = 'No stock location has ever had this sku.'
  refuseItems(items, ({ sku }) => (unknown.includes(sku) ? { field: 'sku', message } : undefined))
}
