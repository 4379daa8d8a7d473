import { NumberInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Drawer } from '#ui/drawer.tsx'
import { ItemsField, oneItem, toItems } from '#parts/fulfilment/items-field.tsx'
import { LocationSelect } from '#parts/fulfilment/locations.tsx'
import { FormEnd } from '#ui/form-end.tsx'
import { useGo } from '#ui/go.ts'
import type { Search } from '#ui/list/filters.ts'
import { showErrors } from '#ui/show-errors.ts'
import { toastDone } from '#ui/toast.tsx'

const nothing = {
  from_location: null as number | null,
  to_location: null as number | null,
  items: [...oneItem],
  package: '' as number | '',
  carrier: '',
  awb_number: '',
}

/** The form as the API takes it; carrier and waybill are about the shipment that a package's transfer gets. */
const toBody = ({ from_location, to_location, items, package: parcel, carrier, awb_number }: typeof nothing) => ({
  from_location: from_location ?? 0,
  to_location: to_location ?? 0,
  items: toItems(items),
  ...(parcel !== '' && {
    package: parcel,
    ...(carrier.trim() !== '' && { carrier: carrier.trim() }),
    ...(awb_number.trim() !== '' && { awb_number: awb_number.trim() }),
  }),
})

/** Plans a transfer; `?package=` of the address says which package it serves. */
export const NewTransfer = () => {
  const { t } = useTranslation('transfers')
  const go = useGo()
  const { package: parcel }: Search = useSearch({ strict: false })
  const sending = useSend('post', '/api/v1/transfers')
  const form = useForm({
    initialValues: { ...nothing, package: parcel === undefined ? ('' as const) : Number(parcel) },
  })
  const save = (values: typeof nothing): void =>
    sending.mutate(
      { body: toBody(values) },
      {
        onSuccess: ({ id, number }) => {
          toastDone(t('new.done', { number }))
          go.replace(`/transfers/${id}`)
        },
        onError: showErrors(form),
      },
    )
  return (
    <Drawer closeTo="/transfers" title={t('new.title')} about={t('new.why')} isNew>
      <form className="stack" onSubmit={form.onSubmit(save)}>
        <LocationSelect label={t('field.from_location')} required {...form.getInputProps('from_location')} />
        <LocationSelect label={t('field.to_location')} required {...form.getInputProps('to_location')} />
        <ItemsField
          items={form.values.items}
          onChange={(items) => form.setFieldValue('items', items)}
          errors={form.errors}
        />
        <NumberInput
          label={t('field.package_id')}
          description={t('new.package_hint')}
          min={1}
          allowDecimal={false}
          hideControls
          {...form.getInputProps('package')}
        />
        {form.values.package !== '' && (
          <>
            <TextInput label={t('field.carrier')} maxLength={100} {...form.getInputProps('carrier')} />
            <TextInput label={t('field.awb_number')} maxLength={64} {...form.getInputProps('awb_number')} />
          </>
        )}
        <FormEnd form={form} submit={t('new.submit')} loading={sending.isPending} />
      </form>
    </Drawer>
  )
}
