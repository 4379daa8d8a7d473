import { useTranslation } from 'react-i18next'
import { ListAndDrawer } from '#ui/list-and-drawer.tsx'
import { ListView } from '#ui/list/list-view.tsx'
import { queryOf, useList } from '#ui/list/use-list.ts'
import { Page } from '#ui/page.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Empty } from '#ui/states.tsx'
import { columns, quotations } from './quotation-list.tsx'
import { StatusTabs } from './status-tabs.tsx'

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(quotations, search)]

/** What buyers asked to be offered, by whose turn it is. */
export const QuotationsScreen = () => {
  const { t } = useTranslation('quotations')
  const list = useList(quotations)
  return (
    <ListAndDrawer>
      <Page title={t('title')} about={t('about')} request={list.request}>
        <ListView
          list={list}
          columns={columns}
          rowTo={({ id }) => `/quotations/${id}`}
          above={<StatusTabs list={list} />}
          empty={<Empty title={t('empty')}>{t('empty_why')}</Empty>}
        />
      </Page>
    </ListAndDrawer>
  )
}
