import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { Page } from '#api/queries.ts'
import type { ApiError } from '#api/api-error.ts'
import type { RowOf } from '#api/types.ts'
import { queryOf } from '#ui/list/use-list.ts'
import type { Search } from '#ui/list/filters.ts'
import { quotations } from '#parts/quotation-filters.ts'

type Rows = Page<RowOf<'/api/v1/quotations'>>
const rowsOnPage = 50

/** A page of the list as it was when one came from it: what is done here takes no row out of it. */
const walked = (queries: QueryClient, search: Search) =>
  queryOptions<Rows, ApiError>({
    queryKey: ['walked', search],
    queryFn: () => queries.query({ ...queryOf(quotations, search), staleTime: 60_000 }),
    staleTime: 'static',
    gcTime: 0,
  })

export interface Neighbours {
  /** Its place in the list, from 1; undefined: it is not there. */
  readonly place: number | undefined
  readonly total: number
  /** Addresses of the quotations before and after it, with the list's filters and order. */
  readonly previous: string | undefined
  readonly next: string | undefined
}

/** Where a quotation stands in the list that the address tells of, and which come before and after it. */
export const useNeighbours = (id: number): Neighbours => {
  const search: Search = useSearch({ strict: false })
  const page = Number(search['page'] ?? 1)
  const at = (number: number): Search => ({ ...search, page: number === 1 ? undefined : String(number) })
  const { rows, total } = useWalked(at(page), true)
  const index = rows.findIndex((row) => row.id === id)
  const place = index < 0 ? undefined : (page - 1) * rowsOnPage + index + 1
  const isFirst = index === 0
  const isLast = index >= 0 && index === rows.length - 1
  const before = useWalked(at(page - 1), isFirst && page > 1)
  const after = useWalked(at(page + 1), isLast && Number(place) < total)
  if (place === undefined) return { place, total, previous: undefined, next: undefined }
  const previous = isFirst ? addressOf(before.rows.at(-1), at(page - 1)) : addressOf(rows[index - 1], search)
  const next = isLast ? addressOf(after.rows[0], at(page + 1)) : addressOf(rows[index + 1], search)
  return { place, total, previous, next }
}

const useWalked = (search: Search, enabled: boolean): Pick<Rows, 'rows' | 'total'> => {
  const { data } = useQuery({ ...walked(useQueryClient(), search), enabled })
  return data ?? { rows: [], total: 0 }
}

/** The address of a quotation with the filters and the order of the list. */
const addressOf = (row: { readonly id: number } | undefined, search: Search): string | undefined => {
  if (row === undefined) return undefined
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) for (const one of [value ?? []].flat()) query.append(name, one)
  return `/quotations/${row.id}${query.size === 0 ? '' : `?${query.toString()}`}`
}
