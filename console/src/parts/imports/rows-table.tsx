import { ScrollArea, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { formatNumber } from '#ui/texts/format.ts'
import type { Table, TableRow } from './table.ts'
import { RowCells } from './row-cells.tsx'
import type { Importing, ImportResult } from './use-import.ts'
import classes from './imports.module.css'

interface RowsTableProps {
  readonly table: Table
  readonly result: ImportResult | undefined
  /** Rows that were changed here: they stay in sight. */
  readonly mended: ReadonlySet<number>
  readonly change: Importing['change']
}

/** The rows of the file, those that are wrong first, with each wrong cell as a field that says why. */
export const RowsTable = ({ table, result, mended, change }: RowsTableProps) => {
  const { t } = useTranslation('imports')
  const [shows, setShows] = useState<'wrong' | 'all'>('wrong')
  const errors = Map.groupBy(result?.errors ?? [], ({ row }) => row)
  const wrong = table.rows.filter(({ number }) => errors.has(number) || mended.has(number))
  if (table.rows.length === 0) return null
  return (
    <section className="stack" aria-label={t('rows')}>
      {wrong.length > 0 && (
        <SegmentedControl
          className={classes['which'] ?? ''}
          aria-label={t('rows')}
          value={shows}
          onChange={setShows}
          data={[
            { value: 'wrong', label: t('wrong_rows', { count: wrong.length }) },
            { value: 'all', label: t('all_rows', { count: table.rows.length }) },
          ]}
        />
      )}
      <Rows
        key={shows}
        header={table.header}
        rows={shows === 'all' || wrong.length === 0 ? table.rows : wrong}
        errors={errors}
        mended={mended}
        change={change}
      />
    </section>
  )
}

interface RowsProps extends Pick<RowsTableProps, 'change' | 'mended'> {
  readonly header: readonly string[]
  readonly rows: readonly TableRow[]
  readonly errors: ReadonlyMap<number, ImportResult['errors']>
}

/** Rows that are drawn at once. */
const step = 100

const Rows = ({ header, rows, errors, mended, change }: RowsProps) => {
  const { t } = useTranslation('imports')
  const [most, setMost] = useState(step)
  return (
    <>
      <ScrollArea.Autosize
        mah="70vh"
        className={classes['scroll'] ?? ''}
        viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': t('rows') }}
      >
        <table className={`table ${classes['rows']}`}>
          <thead>
            <tr>
              <th scope="col" className="num">
                {t('row')}
              </th>
              {header.map((name, index) => (
                <th scope="col" key={`${index} ${name}`}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, most).map((row) => (
              <RowCells
                key={row.number}
                row={row}
                header={header}
                errors={errors.get(row.number) ?? []}
                isMended={mended.has(row.number)}
                change={change}
              />
            ))}
          </tbody>
        </table>
      </ScrollArea.Autosize>
      {rows.length > most && (
        <div className="flex">
          <Action onClick={() => setMost(most + step)}>
            {t('more', { count: Math.min(step, rows.length - most) })}
          </Action>
          <span className="muted">{t('shown', { shown: formatNumber(most), count: rows.length })}</span>
        </div>
      )}
    </>
  )
}
