import type { Fields } from './audit-store.ts'
import { differenceOf, type Change } from '../terms/difference.ts'
import { termsToWire, type Terms } from '../terms/terms.ts'

/** Most changed items and divisions that an audit row lists: a discount on the whole changes thousands, and revisions have them. */
const maxWritten = 200

/** What an edit changed in the terms, before and after: for each item and discount the fields that differ, or how many items do. */
export const changedTerms = (before: Terms, after: Terms): readonly [Fields, Fields] => {
  const { items, discounts } = differenceOf(termsToWire(before), termsToWire(after))
  const written = items.map(onlyChanged)
  const weight = written.reduce((sum, change) => sum + 1 + divisionsIn(change), 0)
  const [was, is] =
    weight > maxWritten
      ? [{ items: countsOf(before) }, { items: { ...countsOf(after), changed: items.length } }]
      : sides('item', written)
  const [wasOff, isOff] = sides('discount', discounts.map(onlyChanged))
  return [
    { ...was, ...wasOff },
    { ...is, ...isOff },
  ]
}

const countsOf = ({ items }: Terms) => ({
  count: items.length,
  quantity: items.reduce((sum, { quantity }) => sum + quantity, 0),
})

type Written = Change<Fields> & { readonly id: number }

/** The fields that differ, before and after. */
export const changedFields = (before: Fields, after: Fields): readonly [Fields, Fields] => {
  const names = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  const only = (fields: Fields): Fields => Object.fromEntries(names.map((name) => [name, fields[name]]))
  return [only(before), only(after)]
}

const onlyChanged = ({ id, before, after }: Written): Written => {
  if (before === null || after === null) return { id, before, after }
  const [was, is] = changedFields(before, after)
  return { id, before: was, after: is }
}

const divisionsIn = ({ before, after }: Written): number =>
  Math.max(...[before, after].map((fields) => (Array.isArray(fields?.['divisions']) ? fields['divisions'].length : 0)))

const sides = (kind: string, changes: readonly Written[]): readonly [Fields, Fields] => [
  Object.fromEntries(changes.map(({ id, before }) => [`${kind} ${id}`, before])),
  Object.fromEntries(changes.map(({ id, after }) => [`${kind} ${id}`, after])),
]
