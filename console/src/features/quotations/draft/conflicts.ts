import type { Minor } from '#platform/money.ts'
import { differencesBetween } from './differences.ts'
import type { Edits, LineEdit } from './edits.ts'
import type { Terms } from './terms.ts'

/** A cell that both have changed, to different values. */
export type Conflict =
  | { readonly line: string; readonly cell: 'price'; readonly theirs: Minor }
  | { readonly line: string; readonly cell: number; readonly theirs: number }

/** Names the cell of a conflict: of a line its price, or the quantity of a division. */
export const cellKey = ({ line, cell }: Pick<Conflict, 'line' | 'cell'>): string => `${line}/${cell}`

/**
 * The cells that somebody else has changed meanwhile and that are changed here too.
 * @param before the terms that the edits were made of
 */
export const conflictsOf = (before: Terms, theirs: Terms, edits: Edits): readonly Conflict[] =>
  differencesBetween(before, theirs).flatMap((one): Conflict[] => {
    if (one.what !== 'price' && one.what !== 'quantity') return []
    const mine = edits.lines.get(one.line.key)
    if (one.what === 'price') {
      const isBoth = mine?.price !== undefined && mine.price !== one.after
      return isBoth ? [{ line: one.line.key, cell: 'price', theirs: one.after }] : []
    }
    const quantity = mine?.quantities?.get(one.division)
    const isBoth = quantity !== undefined && quantity !== one.after
    return isBoth ? [{ line: one.line.key, cell: one.division, theirs: one.after }] : []
  })

/** Lines that were edited here and that somebody else has removed: what was edited of them is lost. */
export const lostLines = (before: Terms, theirs: Terms, edits: Edits) => {
  const left = new Set(theirs.lines.map(({ key }) => key))
  return before.lines.filter(({ key }) => edits.lines.has(key) && !left.has(key))
}

/** Leaves a cell as the other has it. */
export const withoutCell = (edits: Edits, { line, cell }: Pick<Conflict, 'line' | 'cell'>): Edits => {
  const edit = edits.lines.get(line)
  if (edit === undefined) return edits
  const { price, quantities, ...rest } = edit
  const others = new Map([...(quantities ?? [])].filter(([division]) => division !== cell))
  const left: LineEdit = {
    ...rest,
    ...(price !== undefined && cell !== 'price' && { price }),
    ...(others.size > 0 && { quantities: others }),
  }
  const lines = new Map(edits.lines)
  if (Object.keys(left).length === 0) lines.delete(line)
  else lines.set(line, left)
  return { ...edits, lines }
}
