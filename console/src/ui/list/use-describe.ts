import { useTranslation } from 'react-i18next'
import { describeValue, type Filter } from './filters.ts'
import { useRecordNames } from './records.ts'
import type { AnyList } from './use-list.ts'

/** Says the values of filters in words, those that name a record by its name. */
export const useDescribe = ({
  filters,
  search,
  texts,
}: Pick<AnyList, 'filters' | 'search' | 'texts'>): ((filter: Filter) => string) => {
  const { t } = useTranslation('texts')
  const { t: own } = useTranslation(texts)
  const names = useRecordNames(filters, search)
  return (filter) => describeValue(filter, search, { t, own, names })
}
