import { useTranslation } from 'react-i18next'
import { ListAndDrawer } from '#ui/list-and-drawer.tsx'
import { ListView } from '#ui/list/list-view.tsx'
import { queryOf, useList } from '#ui/list/use-list.ts'
import { Page } from '#ui/page.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Empty } from '#ui/states.tsx'
import { columns, events } from './event-list.tsx'

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(events, search)]

/** What happened, whether or not anybody was told of it. */
export const EventsScreen = () => {
  const { t } = useTranslation('events')
  const list = useList(events)
  return (
    <ListAndDrawer>
      <Page title={t('title')} about={t('about')} request={list.request}>
        <ListView
          list={list}
          columns={columns}
          rowTo={({ id }) => `/events/${id}`}
          empty={<Empty title={t('empty')}>{t('empty_why')}</Empty>}
        />
      </Page>
    </ListAndDrawer>
  )
}
