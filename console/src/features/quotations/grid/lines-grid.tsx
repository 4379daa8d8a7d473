import { useEffect, useMemo, useRef, type CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { toastDone } from '#ui/toast.tsx'
import { cellKey } from '../draft/conflicts.ts'
import { isAtListPrice } from '../draft/edits.ts'
import type { Discount } from '../draft/terms.ts'
import { useDraftNow } from '../draft/use-draft.ts'
import type { Column } from './cells.ts'
import { GridRow } from './grid-row.tsx'
import { GridHead } from './grid-head.tsx'
import { rangeOf, type Range } from './selection.ts'
import { sheetOf, type Pasted } from './sheet.ts'
import { useGrid } from './use-grid.ts'
import { useWindow } from './use-window.ts'
import classes from './grid.module.css'

const none: readonly Discount[] = []

/** Least widths of the columns in pixels; the product and the divisions share what is left. */
const widths = { division: 68, together: 64, list: 74, price: 74, discount: 66, sum: 92 }

const widthOf = ({ kind }: Column): number => (kind === 'product' ? 0 : widths[kind])

const trackOf = (column: Column): string =>
  column.kind === 'division' ? `minmax(${widthOf(column)}px, 0.5fr)` : `${widthOf(column)}px`

const columnStyle = (columns: readonly Column[]): CSSProperties => {
  const others = columns.slice(1)
  return {
    '--columns': `minmax(var(--product), 1fr) ${others.map(trackOf).join(' ')}`,
    '--others': `${others.reduce((sum, column) => sum + widthOf(column), 0)}px`,
  } as CSSProperties
}

interface LinesGridProps {
  readonly columns: readonly Column[]
  /** The price that was paid last, by what the platform calls the product. */
  readonly lastPrices: ReadonlyMap<string, string>
}

/** The lines of the quotation as a spreadsheet has them: a row a product, a column a division. One stop of Tab. */
export const LinesGrid = ({ columns, lastPrices }: LinesGridProps) => {
  const { t } = useTranslation('quotations')
  const draft = useDraftNow()
  const { lines, base, discounts, priced } = draft
  const box = useRef<HTMLDivElement>(null)
  const { first, end, page, rowHeight } = useWindow(box, lines.length)
  const ofLines = useMemo(() => Map.groupBy(discounts, ({ line }) => line), [discounts])
  const discountsOf = (line: string): readonly Discount[] => ofLines.get(line) ?? none
  const sheet = sheetOf({ draft, columns, discountsOf })
  const size = { rows: lines.length, columns: columns.length, page }
  const grid = useGrid({ draft, sheet, size, told: usePastedTold() })
  const { at } = grid.selection
  useFollow(box, `${at.row} ${at.column}`, grid.editing === undefined)
  const { before, both: conflicts } = useMarks()
  const shown = rowsBetween(first, end, at.row < lines.length ? at.row : 0)
  return (
    <div
      ref={box}
      role="grid"
      aria-label={t('grid.label')}
      aria-rowcount={lines.length + 1}
      aria-colcount={columns.length}
      aria-multiselectable="true"
      aria-readonly={draft.off !== undefined}
      aria-activedescendant={`cell-${at.row}-${at.column}`}
      tabIndex={0}
      className={classes['grid']}
      style={columnStyle(columns)}
      {...grid.handlers}
    >
      <GridHead columns={columns} hasLast={lastPrices.size > 0} />
      <div role="rowgroup" className={classes['rows']} style={{ height: lines.length * rowHeight }}>
        {shown.map((row) => {
          const line = lines[row]
          if (line === undefined) return null
          return (
            <GridRow
              key={line.key}
              row={row}
              top={row * rowHeight}
              line={line}
              before={before.get(line.key)}
              columns={columns}
              digits={base.terms.digits}
              currency={base.terms.currency}
              discounts={discountsOf(line.key)}
              isAtListPrice={isAtListPrice(draft.edits, line)}
              sum={priced.lines.get(line.key)?.sum}
              lastPrice={lastPrices.get(String(line.remoteId))}
              at={at.row === row ? at.column : -1}
              {...rangeIn(row, rangeOf(grid.selection))}
              conflicts={conflicts}
              {...editorIn(row, grid)}
            />
          )
        })}
      </div>
    </div>
  )
}

const rangeIn = (row: number, { top, bottom, left, right }: Range) =>
  row >= top && row <= bottom ? { left, right } : { left: -1, right: -1 }

/** Only the row that is typed into gets what changes with each letter. */
const editorIn = (row: number, { editing, type, keep }: ReturnType<typeof useGrid>) =>
  editing?.at.row === row ? { editing, type, keep } : { editing: undefined, type: undefined, keep: undefined }

/** What tells how a cell differs: lines as they are saved, and the cells that both have changed. */
const useMarks = () => {
  const { base, conflicts } = useDraftNow()
  const before = useMemo(() => new Map(base.terms.lines.map((line) => [line.key, line])), [base])
  const both = useMemo(() => new Set(conflicts.map(cellKey)), [conflicts])
  return { before, both }
}

const usePastedTold = () => {
  const { t } = useTranslation('quotations')
  return ({ changes: { length: count }, left }: Pasted): void => {
    toastDone(left === 0 ? t('grid.pasted', { count }) : t('grid.pasted_some', { count, left }))
  }
}

/** The rows of the window, and the one that the keys are for, wherever it is. */
const rowsBetween = (first: number, end: number, at: number): readonly number[] => {
  const rows = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index)
  return at >= first && at < end ? rows : [...rows, at]
}

/** Keeps the cell in sight that the keys are for, and gives the grid the focus back when a cell was typed into. */
const useFollow = (box: React.RefObject<HTMLDivElement | null>, at: string, isIdle: boolean): void => {
  const last = useRef({ at, isIdle })
  useEffect(() => {
    const grid = box.current
    const was = last.current
    last.current = { at, isIdle }
    if (grid === null) return
    if (isIdle && !was.isIdle && (document.activeElement === document.body || grid.contains(document.activeElement)))
      grid.focus({ preventScroll: true })
    if (was.at !== at)
      grid.querySelector(`[data-cell="${at}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [box, at, isIdle])
}
