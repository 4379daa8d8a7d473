import type { ReactNode } from 'react'
import { recordOf } from '#api/queries.ts'
import type { ListPath, RowOf } from '#api/types.ts'
import type { Search } from '#ui/list/filters.ts'
import type { Column } from '#ui/list/list-table.tsx'
import { queryOf, type ListDefinition } from '#ui/list/use-list.ts'
import type { AnyQuery } from '#ui/screen.ts'
import type { Outcome } from '#ui/status.tsx'

export interface BoardStatus {
  /** A value of the list's parameter `status`. */
  readonly value: string
  readonly outcome: Outcome
}

/** What a card says of a row. */
export interface CardFacts {
  readonly number: string
  readonly about?: ReactNode
  readonly what: ReactNode
  readonly where?: ReactNode
  /** Since when it has its status. */
  readonly since: string
}

type CountsPath = `/api/v1/${'packages' | 'shipments' | 'transfers'}/counts`

/** A list whose rows have statuses, as columns of cards. Its texts are those of a `ListScreen`, `status.<value>` and `new.open`. */
export interface BoardDefinition<P extends ListPath> {
  readonly list: ListDefinition<P>
  /** Every value of the list's parameter `status`, in the order of the columns. */
  readonly outcomes: Readonly<Record<string, Outcome>>
  /** How many rows each status has, by the filters of the list. */
  readonly counts: CountsPath
  /** Of the list that the rows are shown as too. */
  readonly columns: readonly Column<RowOf<P>>[]
  readonly rowTo: (row: RowOf<P>) => string
  /** Where a row is made. */
  readonly createTo: string
  readonly card: (row: RowOf<P>) => CardFacts
}

/** Cards of a column; more are in the list. */
export const columnLength = 20

/** The query of a column. */
export const columnOf = <P extends ListPath>(
  { list }: Pick<BoardDefinition<P>, 'list'>,
  search: Search,
  status: string,
) => queryOf({ ...list, limit: columnLength }, { ...search, ...withoutPlace, status })

/** The query of how many rows each column has. @param matching the filters of the list as the API takes them */
export const countsOf = (path: CountsPath, { status: _status, ...matching }: Readonly<Record<string, unknown>>) =>
  recordOf(path, { query: matching })

const withoutPlace = { ordering: undefined, page: undefined, cursor: undefined }

export const isList = (search: Search): boolean => search['view'] === 'list'

/** The statuses that an address lets through; all when it names none. */
export const shownStatuses = (
  { outcomes }: Pick<BoardDefinition<ListPath>, 'outcomes'>,
  search: Search,
): readonly BoardStatus[] => {
  const wanted = [search['status'] ?? []].flat()
  const statuses = Object.entries(outcomes).map(([value, outcome]) => ({ value, outcome }))
  return wanted.length === 0 ? statuses : statuses.filter(({ value }) => wanted.includes(value))
}

/** What a board or its list asks at an address. */
export const asksOf = <P extends ListPath>(board: BoardDefinition<P>, search: Search): readonly AnyQuery[] =>
  isList(search)
    ? [queryOf(board.list, search)]
    : shownStatuses(board, search).map(({ value }) => columnOf(board, search, value))
