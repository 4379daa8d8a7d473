import type { Tx } from '#platform/db/database.ts'
import { invalidFields } from '#platform/errors.ts'
import { digitsOf, type Minor } from '#platform/money.ts'
import { orderableDivisions } from '../../divisions/index.ts'
import type { Quotation } from '../quotation.ts'
import { readDecimal, unitsOf, type Item, type Share, type Terms } from '../terms/terms.ts'

export type ShareEdit = Share

/** What changes of an item; undefined: nothing of that. */
export interface ItemEdit {
  readonly id: number
  /** null: the list price again. */
  readonly price: string | number | null | undefined
  readonly quantity: number | undefined
  readonly divisions: readonly ShareEdit[] | undefined
}

type Problems = Readonly<Record<string, readonly string[]>>

/** A unit price in minor units; undefined when it is none in this currency. */
export const priceOf = (given: string | number, currency: string): Minor | undefined =>
  readDecimal(given, digitsOf(currency) ?? 2)

/** The items with these edits. @throws AppError 400 naming each field that is wrong, such as `items.0.price`. */
export const editedItems = async (
  tx: Tx,
  quotation: Quotation,
  { items }: Terms,
  edits: readonly ItemEdit[],
): Promise<Item[]> => {
  const orderable = new Set((await orderableDivisions(tx, quotation.divisionId)).map(({ id }) => id))
  const known = new Map(items.map((item) => [item.id, item]))
  const problems: Record<string, readonly string[]> = {}
  const changed = new Map<number, Item>()
  edits.forEach((edit, index) => {
    const item = known.get(edit.id)
    const result =
      item === undefined || changed.has(edit.id)
        ? { problems: { id: [item === undefined ? 'There is no such item in the quotation.' : 'It is named twice.'] } }
        : editedItem(quotation, item, edit, orderable)
    if ('item' in result) changed.set(edit.id, result.item)
    else for (const [field, messages] of Object.entries(result.problems)) problems[`items.${index}.${field}`] = messages
  })
  if (Object.keys(problems).length > 0) throw invalidFields(problems)
  return items.map((item) => changed.get(item.id) ?? item)
}

const editedItem = (
  { currency }: Quotation,
  item: Item,
  { price, quantity, divisions }: ItemEdit,
  orderable: ReadonlySet<number>,
): { readonly item: Item } | { readonly problems: Problems } => {
  const priceOverride = overrideOf(item, price, currency)
  const shares = sharesOf(item, quantity, divisions, orderable)
  if (priceOverride !== undefined && 'shares' in shares) {
    return { item: { ...item, priceOverride, divisions: shares.shares, quantity: unitsOf(shares.shares) } }
  }
  return {
    problems: {
      ...(priceOverride === undefined
        ? { price: ['Expected an amount of 0 or more, with at most the decimals of the currency.'] }
        : {}),
      ...('problems' in shares ? shares.problems : {}),
    },
  }
}

/** undefined: what was sent is no price. */
const overrideOf = (item: Item, price: ItemEdit['price'], currency: string): Minor | null | undefined => {
  if (price === undefined) return item.priceOverride
  return price === null ? null : priceOf(price, currency)
}

/** As many as a basket takes for a division, so that a quotation can become one again. */
const maxPieces = 1_000_000

type Shares = { readonly shares: readonly Share[] } | { readonly problems: Problems }

/** Quantities by division say everything; a quantity alone does where there is one division. */
const sharesOf = (
  item: Item,
  quantity: number | undefined,
  divisions: readonly ShareEdit[] | undefined,
  orderable: ReadonlySet<number>,
): Shares => {
  if (divisions !== undefined) {
    const shares = checkShares(divisions, new Set([...orderable, ...item.divisions.map(({ id }) => id)]))
    if ('problems' in shares || quantity === undefined || quantity === unitsOf(divisions)) return shares
    return { problems: { quantity: [`The divisions add up to ${unitsOf(divisions)}.`] } }
  }
  if (quantity === undefined) return { shares: item.divisions }
  if (quantity > maxPieces) return { problems: { quantity: [`At most ${maxPieces} for a division.`] } }
  const [only, ...others] = item.divisions
  if (only !== undefined && others.length === 0) return { shares: [{ id: only.id, quantity }] }
  return { problems: { quantity: ['It is for several divisions: say in `divisions` how much each gets.'] } }
}

/** Who gets how much of a product; only divisions that the owner may order for. */
export const readShares = async (tx: Tx, { divisionId }: Quotation, given: readonly ShareEdit[]): Promise<Shares> => {
  const orderable = await orderableDivisions(tx, divisionId)
  return checkShares(given, new Set(orderable.map(({ id }) => id)))
}

const checkShares = (given: readonly ShareEdit[], orderable: ReadonlySet<number>): Shares => {
  const seen = new Set<number>()
  const problems: Record<string, readonly string[]> = {}
  given.forEach(({ id }, index) => {
    if (!orderable.has(id))
      problems[`divisions.${index}.id`] = ['There is no such division that its owner can order for.']
    else if (seen.has(id)) problems[`divisions.${index}.id`] = ['It is named twice.']
    seen.add(id)
  })
  return Object.keys(problems).length > 0
    ? { problems }
    : { shares: given.map(({ id, quantity }) => ({ id, quantity })) }
}
