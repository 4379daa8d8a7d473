import { useTranslation } from 'react-i18next'
import { ImportScreen } from '#parts/imports/import-screen.tsx'

const columns = {
  required: ['erp_code', 'name'],
  optional: ['parent_erp_code', 'phone_number', 'monthly_order_limit', 'is_active'],
  example: {
    erp_code: 'BR-01',
    name: 'Branch North',
    parent_erp_code: 'HQ',
    monthly_order_limit: '5000.00',
  },
}

/** Loads divisions from a table. */
export const ImportDivisions = () => {
  const { t } = useTranslation('divisions')
  return (
    <ImportScreen
      path="/api/v1/divisions/import"
      title={t('import.title')}
      about={t('import.about')}
      list={{ to: '/divisions', text: t('import.list') }}
      columns={columns}
    />
  )
}
