import { useNavigate, useRouterState } from '@tanstack/react-router'
import { DataTable, type DataTableColumn } from 'mantine-datatable'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from '#ui/link.tsx'
import type { AnyList } from './use-list.ts'
import classes from './list.module.css'

export interface Column<Row> {
  /** Unique in its table. */
  readonly name: string
  /** A key of the list's texts. */
  readonly title: string
  /** @param t the list's texts */
  readonly render: (row: Row, t: TFunction) => ReactNode
  /** Figures stand on the right. */
  readonly isNumber?: boolean
  /** What has no room on a phone and beside open details. */
  readonly isWide?: boolean
  /** The field that `ordering` names. */
  readonly ordering?: string
  readonly width?: number | string
}

interface ListTableProps<Row> {
  readonly list: Pick<AnyList, 'search' | 'change' | 'texts'>
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly idOf: (row: Row) => string | number
  /** The page of a row, which the first column links to. */
  readonly rowTo?: (row: Row) => string
  readonly isFetching: boolean
  readonly selection?: { readonly rows: readonly Row[]; readonly select: (rows: readonly Row[]) => void }
  readonly selectTexts: { readonly row: string; readonly all: string }
}

/** The rows of a list. Each is a link, by pointer and by keyboard. */
export const ListTable = <Row extends object>(props: ListTableProps<Row>) => {
  const { list, rows, columns, idOf, rowTo, isFetching, selection, selectTexts } = props
  const navigate = useNavigate()
  const { t } = useTranslation(list.texts)
  const path = useRouterState({ select: (state) => state.location.pathname })
  const ordering = typeof list.search['ordering'] === 'string' ? list.search['ordering'] : ''
  return (
    <div className={classes['tableBox']} aria-busy={isFetching}>
      <DataTable<Row>
        records={[...rows]}
        columns={columns.map((column, index) => toColumn(column, t, index === 0 ? rowTo : undefined))}
        idAccessor={(row) => idOf(row)}
        withTableBorder={false}
        highlightOnHover
        noRecordsText=""
        minHeight={0}
        verticalSpacing={0}
        horizontalSpacing={8}
        sortStatus={{
          columnAccessor: ordering.replace(/^-/, ''),
          direction: ordering.startsWith('-') ? 'desc' : 'asc',
        }}
        onSortStatusChange={({ columnAccessor, direction }) =>
          list.change({ ordering: `${direction === 'desc' ? '-' : ''}${String(columnAccessor)}` })
        }
        {...(rowTo === undefined && { scrollAreaProps: scrollArea })}
        {...(rowTo !== undefined && {
          onRowClick: ({ record, event }) => {
            if (isOwnPress(event)) return
            void navigate({ to: rowTo(record), search: true })
          },
          customRowAttributes: (row: Row) => ({ 'data-open': rowTo(row) === path ? true : undefined }),
        })}
        {...(selection !== undefined && {
          selectedRecords: [...selection.rows],
          onSelectedRecordsChange: selection.select,
          allRecordsSelectionCheckboxProps: { 'aria-label': selectTexts.all },
          getRecordSelectionCheckboxProps: () => ({ 'aria-label': selectTexts.row }),
        })}
      />
    </div>
  )
}

/** Without links in its rows it is scrolled by keyboard all the same. */
const scrollArea = { viewportProps: { tabIndex: 0 } }

/** A press on a link or button in a row, or one that selects text, is not a press on the row. */
const isOwnPress = ({ target }: { readonly target: EventTarget }): boolean =>
  (target instanceof Element && target.closest('a,button,input,label') !== null) || String(getSelection()) !== ''

const toColumn = <Row,>(
  { name, title, render, isNumber = false, isWide = false, ordering, width }: Column<Row>,
  t: TFunction,
  rowTo: ((row: Row) => string) | undefined,
): DataTableColumn<Row> => {
  const className = isWide ? classes['wide'] : undefined
  return {
    accessor: (ordering ?? name) as DataTableColumn<Row>['accessor'] & string,
    title: t(title),
    sortable: ordering !== undefined,
    textAlign: isNumber ? 'right' : 'left',
    ...(width !== undefined && { width }),
    ...(className !== undefined && { cellsClassName: () => className, titleClassName: className }),
    render: (row: Row) =>
      rowTo === undefined ? (
        render(row, t)
      ) : (
        <Link to={rowTo(row)} keepSearch className={classes['rowLink']} data-row-link={rowTo(row)}>
          {render(row, t)}
        </Link>
      ),
  }
}
