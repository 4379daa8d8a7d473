import type { TFunction } from 'i18next'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoney as decimalOf, type Minor } from '#platform/money.ts'
import { editDecimal } from '#ui/texts/decimal.ts'
import { formatAmount, formatNumber } from '#ui/texts/format.ts'
import { isGone } from '../draft/edits.ts'
import { isNew, unitsOf, type Discount, type Line } from '../draft/terms.ts'
import { rateOf } from '../words.ts'
import { mostPieces, type Column } from './cells.ts'
import { CellEditor } from './cell-editor.tsx'
import type { Editing } from './use-grid.ts'
import classes from './grid.module.css'

interface GridRowProps {
  readonly row: number
  /** Where it stands, in pixels. */
  readonly top: number
  readonly line: Line
  /** As it is saved; undefined for one that is new. */
  readonly before: Line | undefined
  readonly columns: readonly Column[]
  readonly digits: number
  readonly currency: string
  readonly discounts: readonly Discount[]
  /** The price is another when it is saved. */
  readonly isAtListPrice: boolean
  readonly sum: Minor | undefined
  readonly lastPrice: string | undefined
  /** The column that the keys are for, and the columns that are selected; -1: none in this row. */
  readonly at: number
  readonly left: number
  readonly right: number
  readonly conflicts: ReadonlySet<string>
  readonly editing: Editing | undefined
  readonly type: ((text: string) => void) | undefined
  readonly keep: (() => boolean) | undefined
}

/** A line. It is drawn again only when something of it changes. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, top, line, before, columns, at, left, right, conflicts, editing, type, keep } = props
  const { t } = useTranslation('quotations')
  const isOut = isGone(line)
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      className={classes['row']}
      style={{ top }}
      data-gone={isOut || undefined}
      data-new={isNew(line.key) || undefined}
    >
      {columns.map((column, index) => (
        <div
          key={column.kind === 'division' ? column.id : column.kind}
          id={`cell-${row}-${index}`}
          role="gridcell"
          aria-colindex={index + 1}
          aria-selected={index >= left && index <= right}
          data-cell={`${row} ${index}`}
          data-kind={column.kind}
          data-at={index === at || undefined}
          data-changed={isChanged(column, line, before) || undefined}
          data-conflict={
            conflicts.has(`${line.key}/${column.kind === 'division' ? column.id : column.kind}`) || undefined
          }
        >
          {editing?.at.column === index && type !== undefined && keep !== undefined ? (
            <CellEditor
              editing={editing}
              label={line.product}
              takes={takenBy(column, props, t)}
              type={type}
              keep={keep}
            />
          ) : (
            <CellText {...props} column={column} />
          )}
        </div>
      ))}
    </div>
  )
})

/** What a cell takes, in words. */
const takenBy = ({ kind }: Column, { digits, currency }: Pick<GridRowProps, 'digits' | 'currency'>, t: TFunction) => {
  if (kind === 'division') return t('grid.wrong_pieces', { most: mostPieces })
  const example = editDecimal(decimalOf(1250n, digits))
  return t(kind === 'price' ? 'grid.wrong_amount' : 'grid.wrong_discount', { example, currency })
}

const isChanged = (column: Column, line: Line, before: Line | undefined): boolean => {
  if (before === undefined || before === line) return false
  if (column.kind === 'price') return before.price !== line.price
  if (column.kind !== 'division') return false
  return quantityOf(before, column.id) !== quantityOf(line, column.id)
}

const quantityOf = ({ shares }: Line, division: number): number | undefined =>
  shares.find(({ id }) => id === division)?.quantity

const CellText = ({
  column,
  line,
  digits,
  currency,
  discounts,
  isAtListPrice: isListed,
  sum,
  lastPrice,
}: GridRowProps & { readonly column: Column }) => {
  const amount = (value: Minor): string => formatAmount(decimalOf(value, digits))
  switch (column.kind) {
    case 'product':
      return <Product line={line} />
    case 'division':
      return <Pieces count={quantityOf(line, column.id)} />
    case 'together':
      return formatNumber(unitsOf(line.shares))
    case 'list':
      return (
        <>
          {amount(line.listPrice)}
          <LastPaid price={lastPrice} />
        </>
      )
    case 'price':
      return (
        <>
          {line.price === line.listPrice ? amount(line.price) : <b>{amount(line.price)}</b>}
          {isListed && <ListPrice />}
        </>
      )
    case 'discount':
      return <Discounts discounts={discounts} digits={digits} currency={currency} />
    case 'sum':
      return sum === undefined ? <Faint /> : amount(sum)
  }
}

const Product = ({ line }: Pick<GridRowProps, 'line'>) => {
  const { t } = useTranslation('quotations')
  return (
    <span className={classes['product']} title={`${line.product} · ${line.sku}`}>
      <span className="strong">{line.product}</span> <code>{line.sku}</code>
      {isGone(line) && <span className={classes['mark']}>{t('grid.removed')}</span>}
      {isNew(line.key) && !isGone(line) && <span className={classes['mark']}>{t('grid.new')}</span>}
    </span>
  )
}

const Pieces = ({ count }: { readonly count: number | undefined }) =>
  count === undefined ? <Faint /> : formatNumber(count)

const LastPaid = ({ price }: { readonly price: string | undefined }) => {
  const { t } = useTranslation('quotations')
  return price === undefined ? null : <small title={t('grid.last_paid')}>{formatAmount(price)}</small>
}

const ListPrice = () => {
  const { t } = useTranslation('quotations')
  return <small title={t('grid.list_price_why')}>{t('grid.list_price')}</small>
}

const Faint = () => <span className={classes['faint']}>–</span>

const Discounts = ({ discounts, digits }: Pick<GridRowProps, 'discounts' | 'digits' | 'currency'>) => {
  if (discounts.length === 0) return <Faint />
  return discounts
    .map(({ type, value }) => (type === 'fixed' ? `−${formatAmount(decimalOf(value, digits))}` : rateOf(value)))
    .join(' ')
}
