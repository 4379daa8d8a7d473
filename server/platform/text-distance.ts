/** Letters to insert, remove or replace to make one text of the other (Levenshtein). */
const distanceOf = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...to].entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + Number(letter !== other)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** Names longer than this are no misspelling, and take long to compare. */
const maxCompared = 64

/** The most similar of some names, in which at most a third of the letters are different. */
export const nearestTo = (name: string, names: readonly string[]): string | undefined => {
  if (name.length > maxCompared) return undefined
  const [best] = names
    .map((other) => ({ other, distance: distanceOf(name, other) }))
    .toSorted((a, b) => a.distance - b.distance)
  return best !== undefined && best.distance <= Math.max(1, Math.floor(name.length / 3)) ? best.other : undefined
}
