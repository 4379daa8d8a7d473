import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'

export interface CarrierValues {
  readonly carrier: string
  readonly awb_number: string
  readonly tracking_url: string
}

/** What the API takes of the fields; what is empty is not known. */
export const toCarrier = ({ carrier, awb_number, tracking_url }: CarrierValues) => ({
  carrier: carrier.trim(),
  awb_number: awb_number.trim() || null,
  tracking_url: tracking_url.trim() || null,
})

/** Who carries it, and how it is found there. */
export const CarrierFields = ({ form }: { readonly form: Pick<UseFormReturnType<CarrierValues>, 'getInputProps'> }) => {
  const { t } = useTranslation('shipments')
  return (
    <>
      <TextInput label={t('field.carrier')} required maxLength={100} {...form.getInputProps('carrier')} />
      <TextInput
        label={t('field.awb_number')}
        description={t('new.awb_hint')}
        maxLength={64}
        {...form.getInputProps('awb_number')}
      />
      <TextInput
        label={t('field.tracking_url')}
        description={t('new.tracking_hint')}
        type="url"
        maxLength={2048}
        {...form.getInputProps('tracking_url')}
      />
    </>
  )
}
