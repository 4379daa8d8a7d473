import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Drawer } from '#ui/drawer.tsx'
import { FormEnd } from '#ui/form-end.tsx'
import { useGo } from '#ui/go.ts'
import { showErrors } from '#ui/show-errors.ts'
import { toastDone } from '#ui/toast.tsx'
import { noProduct, ProductFields, toBody, validate, type ProductForm } from './product-fields.tsx'

/** Adds a product. */
export const NewProductDrawer = () => {
  const { t } = useTranslation('products')
  const go = useGo()
  const making = useSend('post', '/api/v1/products')
  const form = useForm<ProductForm>({ initialValues: noProduct, validate })
  const save = ({ sku, ...values }: ProductForm): void => {
    const { remote_id, name, price, currency } = values
    const rest = toBody(sku.trim() === '' ? values : { ...values, sku })
    making.mutate(
      { body: { ...rest, remote_id, name, price, currency } },
      {
        onSuccess: (made) => {
          toastDone(t('made', { name: made.name }))
          go.replace(`/products/${made.id}`)
        },
        onError: showErrors(form),
      },
    )
  }
  return (
    <Drawer closeTo="/products" title={t('new.title')} about={t('new.about')} isNew>
      <form className="stack" onSubmit={form.onSubmit(save)}>
        <ProductFields form={form} />
        <FormEnd form={form} submit={t('new.submit')} loading={making.isPending} />
      </form>
    </Drawer>
  )
}
