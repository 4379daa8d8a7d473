import { sql, type RawBuilder } from 'kysely'
import { orderingOf } from '#platform/http/pagination.ts'
import { fitting } from '../../list-filters-store.ts'
import { orderColumns, quotationFilters } from './list-store.ts'

/** Which quotations the list of the back office has, and in what order, to be read whole. */
export interface Selection {
  /** Condition on the columns of quotations. */
  readonly fits: RawBuilder<boolean>
  /** What they are ordered by before their ids, in the same direction. */
  readonly key: RawBuilder<unknown>
  readonly direction: RawBuilder<unknown>
}

/** The selection that the query of a list makes. @throws AppError 400 for a filter. */
export const selectionOf = (query: Readonly<Record<string, unknown>> & { readonly ordering?: string }): Selection => {
  const { field, direction } = orderingOf(query.ordering ?? '-id')
  return {
    fits: fitting(quotationFilters, query),
    key: orderColumns[field] ?? sql`id`,
    direction: sql.raw(direction),
  }
}
