import { invalidField } from '#platform/errors.ts'
import { timeFrom } from '#platform/time-text.ts'
import type { CellFilters } from './cell-store.ts'
import { contentTypeId } from './report.ts'
import type { ReportQuery } from './schemas.ts'
import { wordsIn } from './search-words.ts'

/** What a list is filtered by, as far as single reports have to be looked at for it. */
export interface RowFilters {
  readonly groupId: number | undefined
  readonly createdFrom: Date | undefined
  readonly createdBefore: Date | undefined
  readonly actionObjectIds: readonly number[] | undefined
  readonly targetObjectId: string | undefined
  readonly errorCode: string | undefined
  /** All of them are among the words of a report (search-words.ts). */
  readonly words: readonly string[] | undefined
}

export interface ReportFilters {
  readonly cells: CellFilters
  readonly rows: RowFilters
}

/** No kind of object has this id. */
const noContentType = 0

/**
 * Reads the filters of a list. The name of a kind of object that there is not fits nothing.
 * @param kind kind of action that the list is of; all when undefined.
 * @throws AppError 400 that names a filter which is not valid.
 */
export const filtersOf = (query: ReportQuery, kind?: string): ReportFilters => ({
  cells: {
    channelId: query.channel,
    catalog: query.catalog,
    actionContentTypes: [...named(kind), ...named(query.action_content_type), ...given(query.action_content_type_id)],
    targetContentTypes: [...named(query.target_content_type), ...given(query.target_content_type_id)],
    isOk: query.is_ok === undefined ? undefined : /^(true|1)$/i.test(query.is_ok),
  },
  rows: {
    groupId: query.group,
    createdFrom: timeFrom('created_date__gte', query.created_date__gte),
    createdBefore: timeFrom('created_date__lt', query.created_date__lt),
    actionObjectIds: query.action_object_id__in === undefined ? undefined : idsIn(query.action_object_id__in),
    targetObjectId: query.target_object_id === undefined ? undefined : String(query.target_object_id),
    errorCode: query.error_code,
    words: query.q === undefined || query.q === '' ? undefined : searchedFor(query.q),
  },
})

/** What has no word in it is in no report: no report has the empty word. */
const searchedFor = (text: string): string[] => {
  const words = wordsIn(text)
  return words.length === 0 ? [''] : words
}

const named = (name: string | undefined): number[] =>
  name === undefined ? [] : [contentTypeId(name.toLowerCase()) ?? noContentType]

const given = (id: number | undefined): number[] => (id === undefined ? [] : [id])

const idsIn = (texts: readonly string[]): number[] => {
  const parts = texts.flatMap((text) => text.split(',')).map((part) => part.trim())
  const ids = parts.filter((part) => part !== '').map(Number)
  if (parts.some((part) => part !== '' && !/^\d{1,15}$/.test(part)))
    throw invalidField('action_object_id__in', 'Expected ids such as 12,15.')
  return ids
}
