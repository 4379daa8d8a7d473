import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Drawer } from '#ui/drawer.tsx'
import { FormEnd } from '#ui/form-end.tsx'
import { useGo } from '#ui/go.ts'
import { showErrors } from '#ui/show-errors.ts'
import { toastDone } from '#ui/toast.tsx'
import { LocationFields, noLocation, type LocationValues } from './location-fields.tsx'

/** Adds a stock location. */
export const NewLocation = () => {
  const { t } = useTranslation('stock-locations')
  const go = useGo()
  const sending = useSend('post', '/api/v1/stock_locations')
  const form = useForm<LocationValues>({ initialValues: noLocation })
  const save = (body: LocationValues): void =>
    sending.mutate(
      { body },
      {
        onSuccess: ({ id, code }) => {
          toastDone(t('new.done', { code }))
          go.replace(`/stock_locations/${id}`)
        },
        onError: showErrors(form),
      },
    )
  return (
    <Drawer closeTo="/stock_locations" title={t('new.title')} about={t('new.why')} isNew>
      <form className="stack" onSubmit={form.onSubmit(save)}>
        <LocationFields form={form} />
        <FormEnd form={form} submit={t('new.submit')} loading={sending.isPending} />
      </form>
    </Drawer>
  )
}
