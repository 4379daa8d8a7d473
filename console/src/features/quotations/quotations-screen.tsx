import { ListScreen } from '#ui/list/list-screen.tsx'
import { queryOf, useList } from '#ui/list/use-list.ts'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { columns, quotations } from './quotation-list.tsx'
import { StatusTabs } from './status-tabs.tsx'

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(quotations, search)]

/** What buyers asked to be offered, by whose turn it is. */
export const QuotationsScreen = () => {
  const list = useList(quotations)
  return (
    <ListScreen
      list={list}
      columns={columns}
      rowTo={({ id }) => `/quotations/${id}`}
      above={<StatusTabs list={list} />}
    />
  )
}
