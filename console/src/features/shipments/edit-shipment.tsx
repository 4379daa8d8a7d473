import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { changesOf } from '#ui/changes.ts'
import { showErrors } from '#ui/show-errors.ts'
import { toastDone } from '#ui/toast.tsx'
import { FormDialog } from '#ui/unsaved.tsx'
import { CarrierFields, toCarrier, type CarrierValues } from './carrier-fields.tsx'
import type { Shipment } from './shipment-list.tsx'

/** Changes carrier, air waybill and tracking. */
export const EditShipment = ({ shipment, close }: { readonly shipment: Shipment; readonly close: () => void }) => {
  const { t } = useTranslation(['shipments', 'texts'])
  const sending = useSend('patch', '/api/v1/shipments/{id}')
  const { id, carrier, awb_number: number, tracking_url: url } = shipment
  const form = useForm<CarrierValues>({
    initialValues: { carrier, awb_number: number ?? '', tracking_url: url ?? '' },
  })
  const save = (values: CarrierValues): void =>
    sending.mutate(
      { path: { id }, body: toCarrier(values) },
      {
        onSuccess: () => {
          toastDone(t('edit.saved'))
          close()
        },
        onError: showErrors(form),
      },
    )
  return (
    <FormDialog changes={changesOf(form)} close={close} title={t('edit.title', { id })}>
      <form className="stack" onSubmit={form.onSubmit(save)}>
        <CarrierFields form={form} />
        <div>
          <Action main type="submit" loading={sending.isPending}>
            {t('texts:save')}
          </Action>
        </div>
      </form>
    </FormDialog>
  )
}
