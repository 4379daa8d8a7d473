import { Type } from 'typebox'
import { NotBlank } from '#platform/http/schemas.ts'
import { collectProblems } from '#platform/problems.ts'

/** A stock keeping unit: compared character by character. */
export const Sku = NotBlank(100, { examples: ['CHAIR-OAK'] })

/** Pieces of one sku in one package. */
export const Quantity = Type.Integer({ minimum: 1, maximum: 1_000_000, examples: [2] })

/** Refuses items of a body. `faultOf` says which field of an item is wrong and why, if one is. @throws AppError 400 that names all. */
export const refuseItems = <Item>(
  items: readonly Item[],
  faultOf: (item: Item) => { readonly field: string; readonly message: string } | undefined,
): void => {
  const problems = collectProblems()
  for (const [position, item] of items.entries()) {
    const fault = faultOf(item)
    if (fault !== undefined) problems.add(`items.${position}.${fault.field}`, fault.message)
  }
  problems.throwIfAny()
}

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
