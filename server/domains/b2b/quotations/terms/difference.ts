import type { Static } from 'typebox'
import type { TermsShape } from './terms-schemas.ts'

type Terms = Static<typeof TermsShape>
export interface Change<T> {
  /** null: it was not there. */
  readonly before: T | null
  readonly after: T | null
}

/** What is different between two terms; what is the same is left out. */
export const differenceOf = (before: Terms, after: Terms) => ({
  total_amount: { before: before.total_amount, after: after.total_amount },
  net_amount: { before: before.net_amount, after: after.net_amount },
  items: changesOf(before.items, after.items),
  discounts: changesOf(before.discounts, after.discounts),
})

/** By id, what was added, removed, or is not the same any more. */
const changesOf = <T extends { readonly id: number }>(
  before: readonly T[],
  after: readonly T[],
): (Change<T> & { id: number })[] => {
  const was = new Map(before.map((row) => [row.id, row]))
  const is = new Map(after.map((row) => [row.id, row]))
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((id) => ({ id, before: was.get(id) ?? null, after: is.get(id) ?? null }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after))
}
