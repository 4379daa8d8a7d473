import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '#ui/texts/format.ts'
import { nameOf, type TableRow } from './table.ts'
import type { Importing, ImportResult } from './use-import.ts'
import classes from './imports.module.css'

interface RowCellsProps {
  readonly row: TableRow
  readonly header: readonly string[]
  readonly errors: ImportResult['errors']
  /** Whether a cell of it was changed here, so that all of them stay fields. */
  readonly isMended: boolean
  readonly change: Importing['change']
}

/** The cells of one row; those of a wrong row are fields, as the mistake may be in another cell than the one that shows it. */
export const RowCells = ({ row, header, errors, isMended, change }: RowCellsProps) => {
  const { t } = useTranslation('imports')
  const { number, cells } = row
  const general = errors.filter(({ column }) => !header.some((name) => nameOf(name) === column))
  const isField = (errors.length > 0 || isMended) && cells.length === header.length
  return (
    <tr data-wrong={errors.length > 0 || undefined}>
      <th scope="row" className="num">
        {formatNumber(number)}
        {general.map(({ message }) => (
          <div key={message} className={classes['why']}>
            {message}
          </div>
        ))}
      </th>
      {cells.map((text, index) => {
        const name = header[index] ?? ''
        const error = errors.find(({ column }) => column === nameOf(name))
        return (
          <td key={index}>
            {isField ? (
              <Cell
                label={t('cell', { row: number, column: name })}
                text={text}
                why={error?.message}
                change={(next) => change(number, index, next)}
              />
            ) : (
              text
            )}
          </td>
        )
      })}
    </tr>
  )
}

interface CellProps {
  readonly label: string
  readonly text: string
  readonly why: string | undefined
  readonly change: (text: string) => void
}

const Cell = ({ label, text, why, change }: CellProps) => {
  const id = useId()
  return (
    <>
      <input
        className={classes['cell']}
        aria-label={label}
        aria-invalid={why !== undefined}
        aria-describedby={why === undefined ? undefined : id}
        size={Math.max(6, Math.min(40, text.length + 2))}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
      />
      {why !== undefined && (
        <div id={id} className={classes['why']}>
          {why}
        </div>
      )}
    </>
  )
}
