import type { Division } from './division-list.ts'

/** A division in the tree that is drawn. */
export interface Branch {
  readonly division: Division
  readonly level: number
  /** Its place among those that hang from the same, from 1 on, and how many they are. */
  readonly place: number
  readonly siblings: number
  readonly children: number
  readonly parent: number | null
}

/** Divisions by their name, as people count: branch 2 before branch 10. */
export const byName = (divisions: readonly Division[], language: string): readonly Division[] => {
  const { compare } = new Intl.Collator(language, { numeric: true })
  return divisions.toSorted((one, other) => compare(one.name, other.name))
}

/**
 * The divisions as lines from top to bottom, without what hangs from a folded one. A division whose parent is not among them
 * stands at the top.
 */
export const linesOf = (divisions: readonly Division[], isFolded: (id: number) => boolean): readonly Branch[] => {
  const known = new Set(divisions.map(({ id }) => id))
  const parentOf = ({ parent }: Division): number | null => (parent !== null && known.has(parent) ? parent : null)
  const below = Map.groupBy(divisions, parentOf)
  const lines: Branch[] = []
  // The last of these is drawn next: no tree is so deep that it could not be.
  const waiting: Branch[] = []
  const add = (parent: number | null, level: number): void => {
    const ones = below.get(parent) ?? []
    const branches = ones.map((division, index) => ({
      division,
      level,
      place: index + 1,
      siblings: ones.length,
      children: below.get(division.id)?.length ?? 0,
      parent,
    }))
    waiting.push(...branches.toReversed())
  }
  add(null, 1)
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    lines.push(next)
    if (!isFolded(next.division.id)) add(next.division.id, next.level + 1)
  }
  return lines
}

/** What an arrow key does in the tree: goes to a line, or folds or unfolds the one that has the focus. */
export type Step = { readonly go: number } | { readonly fold: number; readonly isFolded: boolean }

/** @param at index of the line that has the focus @returns undefined when the key means nothing here */
export const stepOf = (
  key: string,
  lines: readonly Branch[],
  at: number,
  isFolded: (id: number) => boolean,
): Step | undefined => {
  const line = lines[at]
  if (line === undefined) return undefined
  const { division, children, parent } = line
  const isOpen = children > 0 && !isFolded(division.id)
  const places: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: lines.length - 1,
  }
  const place = places[key]
  if (place !== undefined) return lines[place] === undefined ? undefined : { go: place }
  if (key === 'ArrowRight') {
    if (children === 0) return undefined
    return isOpen ? { go: at + 1 } : { fold: division.id, isFolded: false }
  }
  if (key !== 'ArrowLeft') return undefined
  if (isOpen) return { fold: division.id, isFolded: true }
  const above = lines.findIndex((one) => one.division.id === parent)
  return above < 0 ? undefined : { go: above }
}
