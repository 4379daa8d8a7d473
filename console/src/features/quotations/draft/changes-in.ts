import { hasEdits } from './edits.ts'
import type { Draft } from './use-draft.ts'

/** How many cells, lines and discounts were changed and are not saved. */
export const changesIn = ({ edits }: Pick<Draft, 'edits'>): number => {
  if (!hasEdits(edits)) return 0
  const cells = [...edits.lines.values()].map(
    ({ price, quantities, isRemoved }) =>
      (price === undefined ? 0 : 1) + (quantities?.size ?? 0) + (isRemoved === true ? 1 : 0),
  )
  const lines = cells.reduce((sum, count) => sum + count, 0)
  return lines + edits.added.length + edits.takenBack.size + edits.given.length
}
