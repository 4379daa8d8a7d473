import { ListScreen } from '#ui/list/list-screen.tsx'
import { queryOf, useList } from '#ui/list/use-list.ts'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { columns, orders } from './order-list.tsx'
import { RetryFailed } from './retry-failed.tsx'

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(orders, search)]

/** What approved quotations became in the commerce platform, and what did not get there. */
export const OrdersScreen = () => {
  const list = useList(orders)
  return (
    <ListScreen
      list={list}
      columns={columns}
      rowTo={({ id }) => `/orders/${id}`}
      actions={<RetryFailed list={list} />}
    />
  )
}
