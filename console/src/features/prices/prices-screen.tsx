import { useTranslation } from 'react-i18next'
import { GoAction } from '#ui/go-action.tsx'
import { ListScreen } from '#ui/list/list-screen.tsx'
import { stringifySearch } from '#ui/list/search-text.ts'
import { queryOf, useList } from '#ui/list/use-list.ts'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { columns, prices } from './price-list.tsx'

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(prices, search)]

/** What divisions pay for products, where that is not the list price. */
export const PricesScreen = () => {
  const { t } = useTranslation('prices')
  const list = useList(prices)
  // A new price is of the division and the product that the list is narrowed to.
  const { division, product } = list.search
  return (
    <ListScreen
      list={list}
      columns={columns}
      rowTo={({ id }) => `/prices/${id}`}
      actions={<GoAction to="/prices/import">{t('import.go')}</GoAction>}
      create={
        <GoAction main to={`/prices/new${stringifySearch({ division, product })}`}>
          {t('add')}
        </GoAction>
      }
    />
  )
}
