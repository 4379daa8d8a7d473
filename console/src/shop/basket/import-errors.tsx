import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { formatNumber } from '#ui/texts/format.ts'
import { Notice, Refused } from '../parts/states.tsx'
import { tableErrors } from './row-errors.ts'
import classes from './basket.module.css'

interface ImportErrorsProps {
  readonly error: ApiError
  /** The table, where the page could read it. */
  readonly rows: readonly (readonly string[])[]
}

/** What has to be corrected in a table: which row and column, what stands there, and what is wrong with it. */
export const ImportErrors = ({ error, rows: cells }: ImportErrorsProps) => {
  const { t } = useTranslation('shop')
  const { rows, others } = tableErrors(error.fields)
  if (rows.length === 0 && others.length === 0) return <Refused error={error} />
  const header = cells[0] ?? []
  const cellOf = (row: number, column: string): string | undefined =>
    cells[row - 1]?.[header.findIndex((name) => name.trim().toLowerCase() === column)]
  return (
    <>
      <Notice outcome="bad" title={t('import.wrong', { count: rows.length + others.length })}>
        <p>{t('import.nothing_done')}</p>
        {others.map((message) => (
          <p key={message}>{message}</p>
        ))}
      </Notice>
      {rows.length > 0 && (
        <table className={classes['table']}>
          <thead>
            <tr>
              <th scope="col">{t('import.row')}</th>
              <th scope="col">{t('import.column')}</th>
              <th scope="col">{t('import.what')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row, column, message }) => {
              const cell = cellOf(row, column)
              return (
                <tr key={`${row} ${column}`}>
                  <td>{formatNumber(row)}</td>
                  <td>{column}</td>
                  <td>
                    {cell !== undefined && <b>{cell === '' ? t('import.empty_cell') : cell} </b>}
                    {message}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
    </>
  )
}
