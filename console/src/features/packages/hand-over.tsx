import { Modal } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { piecesOf } from '#parts/fulfilment/items.ts'
import { allLocations, LocationSelect } from '#parts/fulfilment/locations.tsx'
import { showErrors } from '#ui/show-errors.ts'
import { toastDone } from '#ui/toast.tsx'
import type { Package } from './package-list.tsx'

/** Hands a package to a location, or to another one. */
export const HandOver = ({ parcel, close }: { readonly parcel: Package; readonly close: () => void }) => {
  const { t } = useTranslation('packages')
  const queries = useQueryClient()
  const sending = useSend('post', '/api/v1/packages/{id}/transition')
  const planned = parcel.status === 'created' ? parcel.stock_location : null
  const form = useForm({ initialValues: { stock_location: planned } })
  const { id, number, items } = parcel
  const save = ({ stock_location: to }: typeof form.values): void => {
    if (to === null) return
    const where = queries.getQueryData(allLocations.queryKey)?.rows.find((one) => one.id === to)?.code ?? `#${to}`
    sending.mutate(
      { path: { id }, body: { stock_location: to } },
      {
        onSuccess: () => {
          toastDone(t('done.transition', { where }))
          close()
        },
        onError: showErrors(form),
      },
    )
  }
  return (
    <Modal opened onClose={close} title={t('transition.title', { number })}>
      <form className="stack" onSubmit={form.onSubmit(save)}>
        <p className="muted">{t('transition.why', { count: piecesOf(items) })}</p>
        <LocationSelect label={t('field.stock_location')} required {...form.getInputProps('stock_location')} />
        <div>
          <Action main type="submit" loading={sending.isPending}>
            {t('transition.submit')}
          </Action>
        </div>
      </form>
    </Modal>
  )
}
