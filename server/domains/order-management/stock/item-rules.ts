import type { Tx } from '#platform/db/database.ts'
import { invalidFields } from '#platform/errors.ts'
import { unknownSkus } from './store.ts'

type Named = readonly { readonly sku: string }[]

/** @throws AppError 400 at each sku of a body's `items` that stands there a second time. */
export const refuseDoubles = (items: Named): void => {
  const seen = new Set<string>()
  const doubles = items.flatMap(({ sku }, position) => {
    if (seen.has(sku))
      return [[`items.${position}.sku`, ['This sku is in the list already; add up the quantities.']] as const]
    seen.add(sku)
    return []
  })
  if (doubles.length > 0) throw invalidFields(Object.fromEntries(doubles))
}

/** @throws AppError 400 at each sku of a body's `items` that no location ever had anything of. */
export const refuseUnknownSkus = async (tx: Tx, items: Named): Promise<void> => {
  const skus = items.map(({ sku }) => sku)
  const unknown = await unknownSkus(tx, skus)
  if (unknown.size === 0) return
  const messages = skus.flatMap((sku, position) =>
    unknown.has(sku) ? [[`items.${position}.sku`, ['No stock location has ever had this sku.']] as const] : [],
  )
  throw invalidFields(Object.fromEntries(messages))
}
