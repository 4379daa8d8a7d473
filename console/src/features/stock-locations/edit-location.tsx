import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { changesOf } from '#ui/changes.ts'
import { showErrors } from '#ui/show-errors.ts'
import { toastDone } from '#ui/toast.tsx'
import { FormDialog } from '#ui/unsaved.tsx'
import { LocationFields, type LocationValues } from './location-fields.tsx'
import type { StockLocation } from './location-list.tsx'

/** Changes what a location is. */
export const EditLocation = ({ location, close }: { readonly location: StockLocation; readonly close: () => void }) => {
  const { t } = useTranslation(['stock-locations', 'texts'])
  const sending = useSend('patch', '/api/v1/stock_locations/{id}')
  const { id, code, name, kind, address, allow_backorder } = location
  const form = useForm<LocationValues>({ initialValues: { code, name, kind, address, allow_backorder } })
  const save = (body: LocationValues): void =>
    sending.mutate(
      { path: { id }, body },
      {
        onSuccess: () => {
          toastDone(t('edit.saved'))
          close()
        },
        onError: showErrors(form),
      },
    )
  return (
    <FormDialog changes={changesOf(form)} close={close} title={t('edit.title', { code })}>
      <form className="stack" onSubmit={form.onSubmit(save)}>
        <LocationFields form={form} />
        <div>
          <Action main type="submit" loading={sending.isPending}>
            {t('texts:save')}
          </Action>
        </div>
      </form>
    </FormDialog>
  )
}
