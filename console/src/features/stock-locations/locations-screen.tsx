import { useTranslation } from 'react-i18next'
import { GoAction } from '#ui/go-action.tsx'
import { ListScreen } from '#ui/list/list-screen.tsx'
import { queryOf, useList } from '#ui/list/use-list.ts'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { columns, locations } from './location-list.tsx'

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(locations, search)]

/** Where stock is. */
export const LocationsScreen = () => {
  const { t } = useTranslation('stock-locations')
  return (
    <ListScreen
      list={useList(locations)}
      columns={columns}
      rowTo={({ id }) => `/stock_locations/${id}`}
      create={<GoAction to="/stock_locations/new">{t('new.open')}</GoAction>}
    />
  )
}
