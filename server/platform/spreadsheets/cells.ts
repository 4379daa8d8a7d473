import { dayMs } from '../clock.ts'
import { CopiedRows } from './copied-rows.ts'
import type { CellType } from './table-file.ts'
import type { TableWriting } from './table-writing.ts'

/** A time is a number of days, as in a sheet; null is an empty cell. */
export type Cell = string | number | null

export const timeFormat = 'yyyy-mm-dd hh:mm:ss'

/** In characters. A time that does not fit is shown as `#####`. */
export const widthOf: Readonly<Record<CellType, number>> = { text: 24, number: 14, time: 20 }

/** The cells of each row, as xls and xlsx keep them. */
export async function* readCells({ columns, blocks, progress }: Omit<TableWriting, 'sink'>): AsyncGenerator<Cell[]> {
  const toCell = columns.map(({ type }) => cellOf[type])
  const rows = new CopiedRows(columns.length)
  for await (const block of blocks)
    for (const row of rows.read(block)) {
      progress.add(1)
      yield row.map((text, column) => (text === null ? null : (toCell[column]?.(text) ?? text)))
    }
  rows.end()
}

/**
 * A cell holds 15 significant digits, times from 1900 to 9999, and 32,767 characters. A number or time that it would change stays
 * a text, a longer text is cut and says so.
 */
export const cellOf: Readonly<Record<CellType, (text: string) => string | number>> = {
  text: (text) => (text.length <= maxCharacters ? text : cut(text)),
  number: (text) => {
    const value = Number(text)
    return text !== '' && Number.isFinite(value) && significantDigits(text) <= maxDigits ? value : text
  },
  time: (text) => {
    const days = (Date.parse(text) - dayZero) / dayMs
    return days >= firstDay && days < dayAfterLast ? days : text
  },
}

const maxCharacters = 32_767
const maxDigits = 15

const dayZero = Date.UTC(1899, 11, 30)
/** 1900-03-01: before it sheets count a 29th of February that was none. */
const firstDay = 61
/** 10000-01-01. */
const dayAfterLast = 2_958_466

const cut = (text: string): string => {
  const mark = `… [cut, ${text.length} characters]`
  const end = maxCharacters - mark.length
  const isPairSplit = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800
  return text.slice(0, isPairSplit ? end - 1 : end) + mark
}

const significantDigits = (text: string): number => {
  if (text.length <= maxDigits) return text.length
  const [mantissa = ''] = text.split(/e/i)
  return mantissa.replaceAll(/[-+.]/g, '').replaceAll(/^0+|0+$/g, '').length
}
