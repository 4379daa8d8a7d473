import { Checkbox, Select, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { kinds, type StockLocation } from './location-list.tsx'

export type LocationValues = Pick<StockLocation, 'code' | 'name' | 'kind' | 'address' | 'allow_backorder'>

export const noLocation: LocationValues = { code: '', name: '', kind: 'warehouse', address: '', allow_backorder: false }

/** What a location is. */
export const LocationFields = ({ form }: { readonly form: UseFormReturnType<LocationValues> }) => {
  const { t } = useTranslation('stock-locations')
  return (
    <>
      <TextInput
        label={t('field.code')}
        description={t('new.code_hint')}
        required
        maxLength={64}
        {...form.getInputProps('code')}
      />
      <TextInput label={t('field.name')} required maxLength={255} {...form.getInputProps('name')} />
      <Select
        label={t('field.kind')}
        allowDeselect={false}
        data={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
        {...form.getInputProps('kind')}
      />
      <Textarea label={t('field.address')} maxLength={1_000} autosize minRows={2} {...form.getInputProps('address')} />
      <Checkbox
        label={t('field.allow_backorder')}
        description={t('new.backorder_hint')}
        {...form.getInputProps('allow_backorder', { type: 'checkbox' })}
      />
    </>
  )
}
