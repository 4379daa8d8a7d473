import { useTranslation } from 'react-i18next'
import { GoAction } from '#ui/go-action.tsx'
import { ListScreen } from '#ui/list/list-screen.tsx'
import { SearchField } from '#ui/list/search-field.tsx'
import { queryOf, useList } from '#ui/list/use-list.ts'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { columns, products } from './product-list.tsx'

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(products, search)]

/** What is sold, with its list price. */
export const ProductsScreen = () => {
  const { t } = useTranslation('products')
  const list = useList(products)
  return (
    <ListScreen
      list={list}
      columns={columns}
      rowTo={({ id }) => `/products/${id}`}
      beside={<SearchField list={list} name="q" label={t('search')} />}
      actions={<GoAction to="/products/import">{t('import.go')}</GoAction>}
      create={
        <GoAction main to="/products/new">
          {t('add')}
        </GoAction>
      }
    />
  )
}
