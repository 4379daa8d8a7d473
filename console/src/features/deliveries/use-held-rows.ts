import { useState } from 'react'

interface Fresh<Row> {
  readonly rows: readonly Row[] | undefined
  /** Rows of another address stand in while this one's are fetched. */
  readonly isPlaceholder: boolean
  /** Whether there are no more rows than these. */
  readonly isWhole: boolean
}

interface LogRow {
  readonly id: number
  readonly created_date: string
}

/**
 * The rows of a log as they were first shown at an address, each as it is now: what is new waits until somebody asks for it,
 * so that nothing moves under a pointer. What does not match any more goes.
 */
export const useHeldRows = <Row extends LogRow>(key: string, { rows, isPlaceholder, isWhole }: Fresh<Row>) => {
  const [held, hold] = useState<{ readonly key: string; readonly rows: readonly Row[] }>()
  const isHeld = held !== undefined && held.key === key && held.rows.length > 0
  if (!isHeld && rows !== undefined && rows.length > 0 && !isPlaceholder) hold({ key, rows })
  const shown = isHeld && rows !== undefined ? renewed(held.rows, rows, isWhole) : rows
  return {
    rows: shown,
    /** Those that would stand before the others. */
    newIds: isHeld && rows !== undefined ? newIdsOf(held.rows, rows) : [],
    show: (next: readonly Row[]): void => hold({ key, rows: next }),
  }
}

const renewed = <Row extends LogRow>(held: readonly Row[], fresh: readonly Row[], isWhole: boolean): readonly Row[] => {
  const byId = new Map(fresh.map((row) => [row.id, row]))
  const times = fresh.map((row) => Date.parse(row.created_date))
  const [oldest, newest] = [Math.min(...times), Math.max(...times)]
  const isCovered = ({ created_date: at }: Row): boolean =>
    isWhole || (Date.parse(at) > oldest && Date.parse(at) <= newest)
  return held.flatMap((row) => byId.get(row.id) ?? (isCovered(row) ? [] : [row]))
}

const newIdsOf = <Row extends LogRow>(held: readonly Row[], fresh: readonly Row[]): readonly number[] => {
  const newest = Math.max(...held.map((row) => Date.parse(row.created_date)))
  const known = new Set(held.map(({ id }) => id))
  return fresh.filter((row) => !known.has(row.id) && Date.parse(row.created_date) >= newest).map(({ id }) => id)
}
