import { useTranslation } from 'react-i18next'
import { ListAndDrawer } from '#ui/list-and-drawer.tsx'
import { ListView } from '#ui/list/list-view.tsx'
import { queryOf, useList } from '#ui/list/use-list.ts'
import { Page } from '#ui/page.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Empty } from '#ui/states.tsx'
import { columns, deliveries } from './delivery-list.tsx'

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(deliveries, search)]

/** What was delivered to hooks, what was not, and why. */
export const DeliveriesScreen = () => {
  const { t } = useTranslation(['deliveries', 'delivery'])
  const list = useList(deliveries)
  return (
    <ListAndDrawer>
      <Page title={t('title')} about={t('about')} request={list.request}>
        <ListView
          list={list}
          columns={columns}
          rowTo={({ id }) => `/deliveries/${id}`}
          empty={<Empty title={t('empty')}>{t('empty_why')}</Empty>}
        />
      </Page>
    </ListAndDrawer>
  )
}
