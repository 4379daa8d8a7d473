import { useTranslation } from 'react-i18next'
import { isEditable, type Column } from './cells.ts'
import classes from './grid.module.css'

interface GridHeadProps {
  readonly columns: readonly Column[]
  /** Whether a price that was paid before stands below list prices. */
  readonly hasLast: boolean
}

/** What the columns are. */
export const GridHead = ({ columns, hasLast }: GridHeadProps) => {
  const { t } = useTranslation('quotations')
  const nameOf = (column: Column): string => {
    if (column.kind === 'division') return column.name
    return t(column.kind === 'list' && hasLast ? 'grid.list_last' : `grid.${column.kind}`)
  }
  return (
    <div role="rowgroup" className={classes['head']}>
      <div role="row" aria-rowindex={1} className={classes['row']}>
        {columns.map((column, index) => (
          <div
            key={column.kind === 'division' ? column.id : column.kind}
            role="columnheader"
            aria-colindex={index + 1}
            aria-readonly={!isEditable(column)}
            data-kind={column.kind}
            title={nameOf(column)}
          >
            <span>{nameOf(column)}</span>
          </div>
        ))}
      </div>
    </div>
  )
}
