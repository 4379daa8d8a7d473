/** Letters to insert, remove or replace to make one text of the other (Levenshtein). */
export const distanceOf = (from: string, to: string): number => {
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
