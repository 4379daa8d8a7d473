import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Drawer } from '#ui/drawer.tsx'
import { ItemsField, oneItem, toItems } from '#parts/fulfilment/items-field.tsx'
import { LocationSelect } from '#parts/fulfilment/locations.tsx'
import { FormEnd } from '#ui/form-end.tsx'
import { useGo } from '#ui/go.ts'
import { showErrors } from '#ui/show-errors.ts'
import { toastDone } from '#ui/toast.tsx'

/** Plans a package. */
export const NewPackage = () => {
  const { t } = useTranslation('packages')
  const go = useGo()
  const sending = useSend('post', '/api/v1/packages')
  const form = useForm({
    initialValues: { order_number: '', stock_location: null as number | null, items: [...oneItem] },
  })
  const save = ({ order_number, stock_location, items }: typeof form.values): void =>
    sending.mutate(
      { body: { order_number: order_number.trim(), stock_location, items: toItems(items) } },
      {
        onSuccess: ({ id, number }) => {
          toastDone(t('new.done', { number }))
          go.replace(`/packages/${id}`)
        },
        onError: showErrors(form),
      },
    )
  return (
    <Drawer closeTo="/packages" title={t('new.title')} about={t('new.why')} isNew>
      <form className="stack" onSubmit={form.onSubmit(save)}>
        <TextInput
          label={t('field.order_number')}
          description={t('new.order_number_hint')}
          required
          maxLength={64}
          {...form.getInputProps('order_number')}
        />
        <ItemsField
          items={form.values.items}
          onChange={(items) => form.setFieldValue('items', items)}
          errors={form.errors}
        />
        <LocationSelect
          label={t('field.stock_location')}
          description={t('new.location_hint')}
          {...form.getInputProps('stock_location')}
        />
        <FormEnd form={form} submit={t('new.submit')} loading={sending.isPending} />
      </form>
    </Drawer>
  )
}
