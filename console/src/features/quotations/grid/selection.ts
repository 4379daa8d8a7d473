/** A cell by its place. */
export interface Place {
  readonly row: number
  readonly column: number
}

/** The cell that keys are for, and where the range begins that it ends. */
export interface Selection {
  readonly at: Place
  readonly from: Place
}

export interface Range {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

export const rangeOf = ({ at, from }: Selection): Range => ({
  top: Math.min(at.row, from.row),
  bottom: Math.max(at.row, from.row),
  left: Math.min(at.column, from.column),
  right: Math.max(at.column, from.column),
})

export interface Size {
  readonly rows: number
  readonly columns: number
  /** Rows that are seen at once. */
  readonly page: number
}

interface Key {
  readonly key: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
}

/** Where a key leads, as in a spreadsheet: with Shift the range grows. @returns undefined for a key that moves nothing */
export const moved = ({ at, from }: Selection, event: Key, size: Size): Selection | undefined => {
  const target = targetOf(at, event, size)
  if (target === undefined) return undefined
  const next = inside(target, size)
  return { at: next, from: event.shiftKey ? from : next }
}

/** The nearest cell that there is. */
export const inside = ({ row, column }: Place, { rows, columns }: Size): Place => ({
  row: Math.max(0, Math.min(rows - 1, row)),
  column: Math.max(0, Math.min(columns - 1, column)),
})

const targetOf = ({ row, column }: Place, event: Key, { rows, columns, page }: Size): Place | undefined => {
  const isFar = event.ctrlKey || event.metaKey
  const targets: Readonly<Record<string, Place>> = {
    ArrowUp: { row: isFar ? 0 : row - 1, column },
    ArrowDown: { row: isFar ? rows - 1 : row + 1, column },
    ArrowLeft: { row, column: isFar ? 0 : column - 1 },
    ArrowRight: { row, column: isFar ? columns - 1 : column + 1 },
    Home: { row: isFar ? 0 : row, column: 0 },
    End: { row: isFar ? rows - 1 : row, column: columns - 1 },
    PageUp: { row: row - page, column },
    PageDown: { row: row + page, column },
  }
  return targets[event.key]
}
