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

type Row = Readonly<Record<string, unknown>> & { readonly id: number }
interface Written {
  readonly id: number
  readonly before: Fields | null
  readonly after: Fields | null
}

/** Of what was there and still is, the fields that differ. */
const onlyChanged = ({ id, before, after }: Change<Row> & { readonly id: number }): Written => {
  if (before === null || after === null) return { id, before, after }
  const names = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  const only = (row: Row): Fields => Object.fromEntries(names.map((name) => [name, row[name]]))
  return { id, before: only(before), after: only(after) }
}

const divisionsIn = ({ before, after }: Written): number =>
  Math.max(...[before, after].map((fields) => (Array.isArray(fields?.['divisions']) ? fields['divisions'].length : 0)))

const sides = (kind: string, changes: readonly Written[]): readonly [Fields, Fields] => [
  Object.fromEntries(changes.map(({ id, before }) => [`${kind} ${id}`, before])),
  Object.fromEntries(changes.map(({ id, after }) => [`${kind} ${id}`, after])),
]
