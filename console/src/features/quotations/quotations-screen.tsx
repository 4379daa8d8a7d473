import { useState } from 'react'
import { ListScreen } from '#ui/list/list-screen.tsx'
import { SavedViews } from '#ui/list/saved-views.tsx'
import { queryOf, useList } from '#ui/list/use-list.ts'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { ChosenActions } from './bulk/chosen-actions.tsx'
import type { Row } from './bulk/each-quotation.ts'
import { columns, quotations } from './quotation-list.tsx'
import { StatusTabs } from './status-tabs.tsx'

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(quotations, search)]

/** What buyers asked to be offered, by whose turn it is. */
export const QuotationsScreen = () => {
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
    />
  )
}
