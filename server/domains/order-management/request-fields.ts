import { Type } from 'typebox'
import { collectProblems } from '#platform/problems.ts'

/** A stock keeping unit: compared character by character. */
export const Sku = Type.String({ minLength: 1, maxLength: 100, examples: ['CHAIR-OAK'] })

/** Pieces of one sku in one package. */
export const Quantity = Type.Integer({ minimum: 1, maximum: 1_000_000, examples: [2] })

/** Refuses texts of nothing but blanks. `fields` is field path → text; absent ones are fine. */
export const refuseBlank = (fields: Readonly<Record<string, string | null | undefined>>): void => {
  const problems = collectProblems()
  for (const [name, text] of Object.entries(fields))
    problems.add(name, text?.trim() === '' ? 'This field may not be blank.' : undefined)
  problems.throwIfAny()
}

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
