import { useTranslation } from 'react-i18next'
import { ImportScreen } from '#parts/imports/import-screen.tsx'

const columns = {
  required: ['remote_id', 'name', 'price', 'currency'],
  optional: ['sku', 'base_code', 'category', 'image', 'attributes', 'is_active'],
  example: { remote_id: '4711', name: 'Oak chair', price: '49.90', currency: 'EUR', category: 'Chairs' },
}

/** Loads products from a table. */
export const ImportProducts = () => {
  const { t } = useTranslation('products')
  return (
    <ImportScreen
      path="/api/v1/products/import"
      title={t('import.title')}
      about={t('import.about')}
      list={{ to: '/products', text: t('import.list') }}
      columns={columns}
    />
  )
}
