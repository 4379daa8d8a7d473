import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import type { Page } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { Empty, Failed, Skeleton } from '#ui/states.tsx'
import { FilterBar } from './filter-bar.tsx'
import { ListTable, type Column } from './list-table.tsx'
import { Pager } from './pager.tsx'
import { useDescribe } from './use-describe.ts'
import type { AnyList } from './use-list.ts'
import { useRowKeys } from './use-row-keys.ts'
import classes from './list.module.css'

interface ListViewProps<Row> {
  readonly list: AnyList & {
    readonly result: UseQueryResult<Page<Row>, ApiError>
    /** Whether it has no rows because there are none at all yet. */
    readonly isNew: boolean
  }
  readonly columns: readonly Column<Row>[]
  readonly idOf?: (row: Row) => string | number
  readonly rowTo?: (row: Row) => string
  /** What is shown while there is nothing at all: what this is good for, and one button. */
  readonly empty: ReactNode
  /** Stands between filters and rows: a chart, tabs. */
  readonly above?: ReactNode
  /** Stands beside the filters: saved views. */
  readonly beside?: ReactNode
  /** Stands beside the count: outcomes, "12 new", what can be done with what is selected. */
  readonly besideCount?: ReactNode
  readonly selection?: { readonly rows: readonly Row[]; readonly select: (rows: readonly Row[]) => void }
}

/** A list in all its states: loading at its final size, empty, nothing matches, not answered, and rows. */
export const ListView = <Row extends object>({
  list,
  above,
  beside,
  besideCount,
  empty,
  ...table
}: ListViewProps<Row>) => {
  const { t } = useTranslation('texts')
  const { result } = list
  useRowKeys()
  return (
    <>
      {(list.filters.length > 0 || beside !== undefined) && (
        <div className="flex between wrap">
          <FilterBar list={list} />
          {beside}
        </div>
      )}
      {above}
      <div className={`flex between wrap ${classes['count']}`} aria-live="polite">
        {result.data === undefined ? <span /> : <Count page={result.data} isFiltered={list.active.length > 0} />}
        {besideCount}
      </div>
      <Rows list={list} empty={empty} {...table} />
      {result.data !== undefined && <Pager list={list} page={result.data} />}
      <span className="visually-hidden" role="status">
        {result.isFetching ? t('list.loading') : ''}
      </span>
    </>
  )
}

const Count = ({ page, isFiltered }: { readonly page: Page<unknown>; readonly isFiltered: boolean }) => {
  const exactKey = isFiltered ? 'list.count_filtered' : 'list.count'
  return (
    <span>
      <Trans
        ns="texts"
        i18nKey={page.isExact ? exactKey : 'list.count_more'}
        values={{ count: page.total }}
        components={{ b: <b /> }}
      />
    </span>
  )
}

const Rows = <Row extends object>({
  list,
  columns,
  idOf = (row) => (row as { id: string | number }).id,
  rowTo,
  empty,
  selection,
}: Omit<ListViewProps<Row>, 'above' | 'beside' | 'besideCount'>) => {
  const { t } = useTranslation('texts')
  const { result } = list
  if (result.error !== null && result.data === undefined)
    return <Failed error={result.error} retry={() => void result.refetch()} />
  if (result.data === undefined) return <Skeleton lines={12} width="100%" />
  if (result.data.rows.length === 0) return list.isNew ? empty : <NoMatch list={list} />
  return (
    <ListTable
      list={list}
      rows={result.data.rows}
      columns={columns}
      idOf={idOf}
      isFetching={result.isFetching}
      selectTexts={{ row: t('list.select_row'), all: t('list.select_all') }}
      {...(rowTo !== undefined && { rowTo })}
      {...(selection !== undefined && { selection })}
    />
  )
}

/** Which filters rule everything out, each with a button that removes it. */
const NoMatch = ({ list }: { readonly list: AnyList }) => {
  const { t } = useTranslation('texts')
  const { t: own } = useTranslation(list.texts)
  const describe = useDescribe(list)
  const words = list.active.map((filter) => `${own(filter.label)} ${describe(filter)}`)
  return (
    <Empty title={t('list.no_match')} action={<Action onClick={list.clear}>{t('list.clear')}</Action>}>
      {t('list.no_match_why', { filters: words.join(', ') })}
    </Empty>
  )
}
