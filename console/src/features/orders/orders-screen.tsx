import { useTranslation } from 'react-i18next'
import { ListAndDrawer } from '#ui/list-and-drawer.tsx'
import { ListView } from '#ui/list/list-view.tsx'
import { queryOf, useList } from '#ui/list/use-list.ts'
import { Page } from '#ui/page.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Empty } from '#ui/states.tsx'
import { columns, orders } from './order-list.tsx'
import { RetryFailed } from './retry-failed.tsx'

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(orders, search)]

/** What approved quotations became in the commerce platform, and what did not get there. */
export const OrdersScreen = () => {
  const { t } = useTranslation('orders')
  const list = useList(orders)
  return (
    <ListAndDrawer>
      <Page title={t('title')} about={t('about')} request={list.request} actions={<RetryFailed list={list} />}>
        <ListView
          list={list}
          columns={columns}
          rowTo={({ id }) => `/orders/${id}`}
          empty={<Empty title={t('empty')}>{t('empty_why')}</Empty>}
        />
      </Page>
    </ListAndDrawer>
  )
}
