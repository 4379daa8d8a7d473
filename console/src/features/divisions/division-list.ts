import { queryOptions } from '@tanstack/react-query'
import type { ApiError } from '#api/api-error.ts'
import { call, recordOf } from '#api/queries.ts'
import type { Query, RowOf } from '#api/types.ts'
import { divisions as divisionRecords } from '#parts/records.ts'
import type { ListDefinition } from '#ui/list/use-list.ts'

export type Division = RowOf<'/api/v1/divisions'>

const path = '/api/v1/divisions'

export const divisionOf = (id: number) => recordOf('/api/v1/divisions/{id}', { path: { id } })

export const divisions: ListDefinition<'/api/v1/divisions'> = {
  path,
  texts: 'divisions',
  filters: [
    { name: 'name', label: 'field.name', kind: 'text' },
    { name: 'is_active', label: 'field.is_active', kind: 'yesno' },
    { name: 'erp_code', label: 'field.erp_code', kind: 'text' },
    { name: 'root', label: 'field.root', kind: 'record', records: divisionRecords },
    { name: 'parent', label: 'field.parent', kind: 'record', records: divisionRecords },
    { name: 'phone_number', label: 'field.phone_number', kind: 'text' },
    { name: 'created_date', label: 'field.created_date', kind: 'time' },
    { name: 'modified_date', label: 'field.modified_date', kind: 'time' },
  ],
}

/** Divisions that are drawn as a tree; of more than these some have to be left out by a filter. */
export const maxShown = 5_000
const pageSize = 1_000

interface Divisions {
  readonly rows: readonly Division[]
  readonly total: number
}

/** All divisions that fit some filters: a tree has no pages. The oldest come first, as what hangs from them is mostly younger. */
export const allDivisions = (matching: Readonly<Record<string, unknown>>) =>
  queryOptions<Divisions, ApiError>({
    queryKey: [path, {}, { ...matching, tree: true }],
    queryFn: async ({ signal }) => {
      const rows: Division[] = []
      for (let page = 1; ; page++) {
        const query = { ...matching, ordering: 'id', limit: pageSize, page } as Query<'get', typeof path>
        const { results, count } = await call('get', path, { query }, signal)
        rows.push(...results)
        if (rows.length >= Math.min(count, maxShown) || results.length === 0) return { rows, total: count }
      }
    },
  })
