import type { Draft } from '../draft/use-draft.ts'
import type { Discount } from '../draft/terms.ts'
import { changeOf, clearOf, isEditable, textOf, type CellChange, type Column } from './cells.ts'
import { parseCells, writeCells } from './paste.ts'
import type { Place, Range } from './selection.ts'

interface SheetOf {
  readonly draft: Pick<Draft, 'lines' | 'priced' | 'base'>
  readonly columns: readonly Column[]
  readonly discountsOf: (line: string) => readonly Discount[]
}

/** What was pasted, for who wants to know. */
export interface Pasted {
  readonly changes: readonly CellChange[]
  /** Cells whose text makes no sense there, and those below the last line. */
  readonly left: number
}

const placesIn = ({ top, bottom, left, right }: Range): Place[] =>
  Array.from({ length: bottom - top + 1 }, (_, down) =>
    Array.from({ length: right - left + 1 }, (__, along) => ({ row: top + down, column: left + along })),
  ).flat()

/** Whether something can be pasted into a column. */
const isTaken = (column: Column): boolean => column.kind !== 'product' && isEditable(column)

/** The lines as cells: what stands in them, and what a text makes of them. */
export const sheetOf = ({ draft: { lines, priced, base }, columns, discountsOf }: SheetOf) => {
  const { terms } = base
  const text = ({ row, column }: Place): string => {
    const [line, of] = [lines[row], columns[column]]
    if (line === undefined || of === undefined) return ''
    return textOf(of, line, { terms, discounts: discountsOf(line.key), sum: priced.lines.get(line.key)?.sum })
  }
  const put = ({ row, column }: Place, given: string): CellChange | undefined => {
    const [line, of] = [lines[row], columns[column]]
    return line === undefined || of === undefined ? undefined : changeOf(of, line, given, terms)
  }
  return {
    text,
    put,
    isTyped: ({ column }: Place): boolean => columns[column] !== undefined && isTaken(columns[column]),
    copy: (range: Range): string =>
      writeCells([...Map.groupBy(placesIn(range), ({ row }) => row).values()].map((row) => row.map(text))),
    /** Lines are removed by their product alone, not where they are a part of what is cleared. */
    clear: (range: Range): readonly CellChange[] =>
      placesIn(range).flatMap(({ row, column }) => {
        const [line, of] = [lines[row], columns[column]]
        const isPart = of?.kind === 'product' && range.left !== range.right
        return line === undefined || of === undefined || isPart ? [] : (clearOf(of, line) ?? [])
      }),
    /** One cell fills the range; more begin at its first cell. */
    paste: (range: Range, pasted: string): Pasted => {
      const rows = parseCells(pasted)
      const [first = ''] = rows[0] ?? []
      const isOne = rows.length === 1 && rows[0]?.length === 1
      const wanted = isOne
        ? placesIn(range).map((place) => ({ place, given: first }))
        : rows.flatMap((row, down) =>
            row.map((given, along) => ({ place: { row: range.top + down, column: range.left + along }, given })),
          )
      const found = wanted
        .filter(
          ({ place: { row, column } }) => lines[row] === undefined || (columns[column] && isTaken(columns[column])),
        )
        .map(({ place, given }) => put(place, given))
      const changes = found.filter((one) => one !== undefined)
      return { changes, left: found.length - changes.length }
    },
  }
}

export type Sheet = ReturnType<typeof sheetOf>
