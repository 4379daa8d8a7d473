import { useTranslation } from 'react-i18next'
import { ImportScreen } from '#parts/imports/import-screen.tsx'

const columns = {
  required: ['product_remote_id', 'erp_code', 'name', 'price', 'valid_from'],
  optional: ['covers', 'valid_to'],
  example: {
    product_remote_id: '1001',
    erp_code: 'BR-01',
    covers: 'tree',
    name: 'Summer 2026',
    price: '44.90',
    valid_from: '2026-06-01',
    valid_to: '2026-08-31',
  },
}

/** Loads prices of divisions from a table. */
export const ImportPrices = () => {
  const { t } = useTranslation('prices')
  return (
    <ImportScreen
      path="/api/v1/prices/import"
      title={t('import.title')}
      about={t('import.about')}
      list={{ to: '/prices', text: t('import.list') }}
      columns={columns}
    />
  )
}
