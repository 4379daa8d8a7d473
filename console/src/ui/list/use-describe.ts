import { useQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useMe } from '#api/session.ts'
import { describeValue, isActive, type Filter, type Search } from './filters.ts'
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

/** What the records that filters of an address name are called, by the name of the filter; those that are not known are absent. */
const useRecordNames = (filters: readonly Filter[], search: Search): ReadonlyMap<string, string> => {
  const me = useMe()
  const asked = filters.flatMap((filter) => {
    const id = search[filter.name]
    if (filter.kind !== 'record' || !isActive(filter, search) || typeof id !== 'string') return []
    const { name, may } = filter.records
    return [{ filter: filter.name, query: { ...name(id), enabled: may === undefined || may(me) } }]
  })
  const answers = useQueries({ queries: asked.map(({ query }) => query) })
  return new Map(
    asked.flatMap(({ filter }, index) => {
      const name = answers[index]?.data
      return typeof name === 'string' ? [[filter, name]] : []
    }),
  )
}
