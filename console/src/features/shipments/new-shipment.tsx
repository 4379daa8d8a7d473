import { NumberInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Drawer } from '#ui/drawer.tsx'
import { FormEnd } from '#ui/form-end.tsx'
import { useGo } from '#ui/go.ts'
import type { Search } from '#ui/list/filters.ts'
import { showErrors } from '#ui/show-errors.ts'
import { toastDone } from '#ui/toast.tsx'
import { CarrierFields, toCarrier, type CarrierValues } from './carrier-fields.tsx'

interface Values extends CarrierValues {
  readonly package: number | ''
}

/** Announces the shipment of a package; `?package=` of the address says which. */
export const NewShipment = () => {
  const { t } = useTranslation('shipments')
  const go = useGo()
  const { package: parcel }: Search = useSearch({ strict: false })
  const sending = useSend('post', '/api/v1/shipments')
  const form = useForm<Values>({
    initialValues: {
      package: parcel === undefined ? '' : Number(parcel),
      carrier: '',
      awb_number: '',
      tracking_url: '',
    },
  })
  const save = (values: Values): void =>
    sending.mutate(
      { body: { package: Number(values.package), ...toCarrier(values) } },
      {
        onSuccess: ({ id }) => {
          toastDone(t('new.done', { id }))
          go.replace(parcel === undefined ? `/shipments/${id}` : `/packages/${String(parcel)}`)
        },
        onError: showErrors(form),
      },
    )
  return (
    <Drawer closeTo="/shipments" title={t('new.title')} about={t('new.why')} isNew>
      <form className="stack" onSubmit={form.onSubmit(save)}>
        <NumberInput
          label={t('field.package_id')}
          description={t('new.package_hint')}
          required
          min={1}
          allowDecimal={false}
          hideControls
          {...form.getInputProps('package')}
        />
        <CarrierFields form={form} />
        <FormEnd form={form} submit={t('new.submit')} loading={sending.isPending} />
      </form>
    </Drawer>
  )
}
