import type { Minor } from '#platform/money.ts'
import { isNew, type Discount, type Line, type Share, type Terms } from './terms.ts'

/** What was changed of a line. */
export interface LineEdit {
  readonly price?: Minor
  /** Quantities by division; 0: none. */
  readonly quantities?: ReadonlyMap<number, number>
  readonly isRemoved?: boolean
}

/** What somebody has changed of terms and not saved yet. It is a value: an edit makes another one, so that it can be undone. */
export interface Edits {
  readonly lines: ReadonlyMap<string, LineEdit>
  readonly added: readonly Line[]
  readonly takenBack: ReadonlySet<string>
  readonly given: readonly Discount[]
}

export const noEdits: Edits = { lines: new Map(), added: [], takenBack: new Set(), given: [] }

export const hasEdits = ({ lines, added, takenBack, given }: Edits): boolean =>
  lines.size > 0 || added.length > 0 || takenBack.size > 0 || given.length > 0

/** A change of one line, as a cell makes it. */
export interface CellEdit {
  readonly line: string
  readonly edit: LineEdit
}

/** Takes changes of lines into account. */
export const withCells = (edits: Edits, cells: readonly CellEdit[]): Edits => {
  const lines = new Map(edits.lines)
  for (const { line, edit } of cells) {
    const before = lines.get(line)
    const quantities =
      edit.quantities === undefined ? before?.quantities : new Map([...(before?.quantities ?? []), ...edit.quantities])
    lines.set(line, { ...before, ...edit, ...(quantities !== undefined && { quantities }) })
  }
  return { ...edits, lines }
}

/** Adds products, each with its quantities; one that is there already, or was removed, gets the quantities. */
export const withProducts = (terms: Terms, edits: Edits, products: readonly Line[]): Edits => {
  const known = new Map([...terms.lines, ...edits.added].map((line) => [String(line.remoteId), line.key]))
  const cells: CellEdit[] = []
  const added: Line[] = []
  for (const product of products) {
    const key = known.get(String(product.remoteId))
    if (key === undefined) added.push(product)
    else {
      const quantities = new Map(product.shares.map(({ id, quantity }) => [id, quantity]))
      cells.push({ line: key, edit: { quantities, isRemoved: false } })
    }
  }
  return withCells({ ...edits, added: [...edits.added, ...added] }, cells)
}

/** Gives a discount of a line in place of those that it has; undefined: none. */
export const withLineDiscount = (terms: Terms, edits: Edits, line: string, given: Discount | undefined): Edits => {
  const isOther = (one: Discount): boolean => one.line !== line
  const ofLine = terms.discounts.filter((one) => !isOther(one))
  return {
    ...edits,
    takenBack: new Set([...edits.takenBack, ...ofLine.map(({ key }) => key)]),
    given: [...edits.given.filter(isOther), ...(given === undefined ? [] : [given])],
  }
}

export const withDiscount = (edits: Edits, given: Discount): Edits => ({ ...edits, given: [...edits.given, given] })

export const withoutDiscount = (edits: Edits, key: string): Edits =>
  edits.given.some((one) => one.key === key)
    ? { ...edits, given: edits.given.filter((one) => one.key !== key) }
    : { ...edits, takenBack: new Set([...edits.takenBack, key]) }

/** Lines as they are with an edit, so that a line is the same object as long as it says the same. */
const edited = new WeakMap<LineEdit, Line>()
const editedOf = new WeakMap<LineEdit, Line>()

const editedLine = (line: Line, edit: LineEdit | undefined): Line => {
  if (edit === undefined) return line
  const known = edited.get(edit)
  if (known !== undefined && editedOf.get(edit) === line) return known
  const shares = edit.quantities === undefined ? line.shares : sharesWith(line.shares, edit.quantities)
  const made = { ...line, price: edit.price ?? line.price, shares, isRemoved: edit.isRemoved ?? line.isRemoved }
  edited.set(edit, made)
  editedOf.set(edit, line)
  return made
}

/** Divisions keep their sequence, by which orders are cut; others come after them. */
const sharesWith = (shares: readonly Share[], quantities: ReadonlyMap<number, number>): readonly Share[] => {
  const all = new Map(shares.map(({ id, quantity }) => [id, quantity]))
  for (const [id, quantity] of quantities) all.set(id, quantity)
  return [...all].map(([id, quantity]) => ({ id, quantity })).filter(({ quantity }) => quantity > 0)
}

/** Every line as it would be, those that are removed among them. */
export const linesWith = (terms: Terms, { lines, added }: Edits): readonly Line[] =>
  [...terms.lines, ...added].map((line) => editedLine(line, lines.get(line.key)))

/** A line that gets the price of the buyer when it is saved: it is new, and nobody has given it another. */
export const isAtListPrice = ({ lines }: Edits, line: Line): boolean =>
  isNew(line.key) && !isGone(line) && lines.get(line.key)?.price === undefined

/** A line that will not be in the quotation any more: it was removed, or nothing of it is wanted. */
export const isGone = ({ isRemoved, shares }: Line): boolean => isRemoved || shares.length === 0

/** Discounts as they would be, in the order in which they count. */
export const discountsWith = (terms: Terms, { takenBack, given }: Edits): readonly Discount[] => [
  ...terms.discounts.filter(({ key }) => !takenBack.has(key)),
  ...given,
]

interface Index {
  readonly byKey: ReadonlyMap<string, Line>
  /** The keys that lines had while they were new, with those that they have now. */
  readonly byProduct: ReadonlyMap<string, string>
}

const indexes = new WeakMap<Terms, Index>()

/** Each edit looks lines up, in terms that stay the same. */
const indexOf = (terms: Terms): Index => {
  const known = indexes.get(terms) ?? {
    byKey: new Map(terms.lines.map((line) => [line.key, line])),
    byProduct: new Map(terms.lines.map(({ key, remoteId }) => [`new:${remoteId}`, key])),
  }
  indexes.set(terms, known)
  return known
}

/** The edits that still change something of these terms: what was saved, or was done by somebody else too, is none any more. */
export const stillChanging = (terms: Terms, edits: Edits): Edits => {
  const { byKey, byProduct } = indexOf(terms)
  const keyNow = (key: string): string => byProduct.get(key) ?? key
  const added = edits.added.filter(({ key }) => !byProduct.has(key))
  const mine = new Set(added.map(({ key }) => key))
  const lines = [...edits.lines].flatMap(([key, edit]): [string, LineEdit][] => {
    if (mine.has(key)) return edit.isRemoved === true ? [] : [[key, edit]]
    const line = byKey.get(keyNow(key))
    const rest = line === undefined ? undefined : restOf(line, edit)
    return rest === undefined || line === undefined ? [] : [[line.key, rest]]
  })
  const dropped = new Set([...mine].filter((key) => edits.lines.get(key)?.isRemoved === true))
  const saved = new Set(terms.discounts.map(({ key }) => key))
  return {
    lines: new Map(lines),
    added: added.filter(({ key }) => !dropped.has(key)),
    takenBack: new Set([...edits.takenBack].filter((key) => saved.has(key))),
    given: edits.given.flatMap((one) => {
      const line = one.line === null ? null : keyNow(one.line)
      const isThere = line === null || byKey.has(line) || (isNew(line) && mine.has(line) && !dropped.has(line))
      if (!isThere) return []
      return line === one.line ? [one] : [{ ...one, line }]
    }),
  }
}

/** What of an edit differs from the line; undefined: nothing. The edit itself where all of it does. */
const restOf = (line: Line, edit: LineEdit): LineEdit | undefined => {
  const { price, quantities = new Map<number, number>(), isRemoved } = edit
  const now = new Map(line.shares.map(({ id, quantity }) => [id, quantity]))
  const others = [...quantities].filter(([id, quantity]) => (now.get(id) ?? 0) !== quantity)
  const rest: LineEdit = {
    ...(price !== undefined && price !== line.price && { price }),
    ...(others.length > 0 && { quantities: others.length === quantities.size ? quantities : new Map(others) }),
    ...(isRemoved === true && { isRemoved }),
  }
  const count = Object.keys(rest).length
  if (count === 0) return undefined
  return count === Object.keys(edit).length && rest.quantities === edit.quantities ? edit : rest
}
