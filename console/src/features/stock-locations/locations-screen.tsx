import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { useGo } from '#ui/go.ts'
import { ListAndDrawer } from '#ui/list-and-drawer.tsx'
import { ListView } from '#ui/list/list-view.tsx'
import { queryOf, useList } from '#ui/list/use-list.ts'
import { Page } from '#ui/page.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Empty } from '#ui/states.tsx'
import { columns, locations } from './location-list.tsx'

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(locations, search)]

/** Where stock is. */
export const LocationsScreen = () => {
  const { t } = useTranslation(['stock-locations', 'texts'])
  const list = useList(locations)
  const go = useGo()
  const create = <Action onClick={() => go.push('/stock_locations/new')}>{t('new.open')}</Action>
  return (
    <ListAndDrawer>
      <Page title={t('title')} about={t('about')} request={list.request} actions={create}>
        <ListView
          list={list}
          columns={columns}
          rowTo={({ id }) => `/stock_locations/${id}`}
          empty={
            <Empty title={t('empty')} action={create}>
              {t('empty_why')}
            </Empty>
          }
        />
      </Page>
    </ListAndDrawer>
  )
}
