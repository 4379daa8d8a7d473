import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { quotations } from '#parts/quotation-filters.ts'
import { GoAction } from '#ui/go-action.tsx'
import { ListScreen } from '#ui/list/list-screen.tsx'
import { SavedViews } from '#ui/list/saved-views.tsx'
import { stringifySearch } from '#ui/list/search-text.ts'
import { queryOf, useList } from '#ui/list/use-list.ts'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { ChosenActions } from './bulk/chosen-actions.tsx'
import type { Row } from './bulk/each-quotation.ts'
import { columns } from './quotation-list.tsx'
import { StatusTabs } from './status-tabs.tsx'

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(quotations, search)]

/** What buyers asked to be offered, by whose turn it is. */
export const QuotationsScreen = () => {
  const { t } = useTranslation('bulk')
  const list = useList(quotations)
  const [chosen, choose] = useState<readonly Row[]>([])
  // Those that are still on this page, as they are now.
  const rows = list.result.data?.rows.filter(({ id }) => chosen.some((one) => one.id === id)) ?? []
  return (
    <ListScreen
      list={list}
      columns={columns}
      rowTo={({ id }) => `/quotations/${id}`}
      above={<StatusTabs list={list} />}
      beside={<SavedViews screen="quotations" list={list} />}
      besideCount={<ChosenActions rows={rows} done={() => choose([])} />}
      selection={{ rows, select: choose }}
      actions={<GoAction to={`/exports/new${stringifySearch(list.matching)}`}>{t('export')}</GoAction>}
    />
  )
}
