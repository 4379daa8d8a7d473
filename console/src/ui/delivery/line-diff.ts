/** A line of two texts: in both, or in one of them alone. */
export interface DiffLine {
  readonly side: 'both' | 'before' | 'after'
  readonly text: string
}

/** More lines than this in both are not compared line by line: the table would be too large. */
const mostLines = 2_000

/** What was taken out of a text and put in, line by line (longest common subsequence). */
export const lineDiff = (before: readonly string[], after: readonly string[]): readonly DiffLine[] => {
  const start = sharedStart(before, after)
  const end = sharedEnd(before.slice(start), after.slice(start))
  const changed = middle(before.slice(start, before.length - end), after.slice(start, after.length - end))
  const both = (text: string): DiffLine => ({ side: 'both', text })
  return [...before.slice(0, start).map(both), ...changed, ...before.slice(before.length - end).map(both)]
}

const sharedStart = (before: readonly string[], after: readonly string[]): number => {
  const at = before.findIndex((line, index) => line !== after[index])
  return at === -1 ? before.length : at
}

const sharedEnd = (before: readonly string[], after: readonly string[]): number =>
  sharedStart(before.toReversed().slice(0, after.length), after.toReversed())

const middle = (before: readonly string[], after: readonly string[]): readonly DiffLine[] => {
  const gone = (text: string): DiffLine => ({ side: 'before', text })
  const come = (text: string): DiffLine => ({ side: 'after', text })
  if (before.length > mostLines || after.length > mostLines) return [...before.map(gone), ...after.map(come)]
  const shared = sharedCounts(before, after)
  const at = (row: number, column: number): number => shared[row]?.[column] ?? 0
  const lines: DiffLine[] = []
  let [left, right] = [0, 0]
  while (left < before.length && right < after.length) {
    const [old = '', fresh = ''] = [before[left], after[right]]
    if (old === fresh) lines.push({ side: 'both', text: old })
    else lines.push(at(left + 1, right) >= at(left, right + 1) ? gone(old) : come(fresh))
    const { side } = lines.at(-1) ?? gone('')
    if (side !== 'after') left += 1
    if (side !== 'before') right += 1
  }
  return [...lines, ...before.slice(left).map(gone), ...after.slice(right).map(come)]
}

/** How many lines the rests of both texts from each pair of places have in common. */
const sharedCounts = (before: readonly string[], after: readonly string[]): readonly Uint16Array[] => {
  const counts = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1))
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const [here, below] = [counts[row], counts[row + 1]]
      if (here === undefined || below === undefined) continue
      here[column] =
        before[row] === after[column]
          ? (below[column + 1] ?? 0) + 1
          : Math.max(below[column] ?? 0, here[column + 1] ?? 0)
    }
  return counts
}
