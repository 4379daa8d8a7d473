import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { changedValues } from '#ui/changes.ts'
import { FormEnd } from '#ui/form-end.tsx'
import { showErrors } from '#ui/show-errors.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { formOf, ProductFields, toBody, validate, type ProductForm } from './product-fields.tsx'
import type { Product } from './product-list.tsx'

/** Changes a product, only in the fields that were touched. It can be taken back. */
export const EditProduct = ({ product }: { readonly product: Product }) => {
  const { t } = useTranslation('products')
  const { t: common } = useTranslation('texts')
  const saving = useSend('patch', '/api/v1/products/{id}')
  const path = { id: product.id }
  const form = useForm<ProductForm>({ initialValues: formOf(product), validate })
  const save = (values: ProductForm): void => {
    const before = formOf(product)
    const changed = changedValues(form, values)
    const undo = (): void => {
      form.setValues(before)
      form.resetDirty(before)
      const names = Object.keys(changed) as (keyof ProductForm)[]
      const body = toBody(Object.fromEntries(names.map((name) => [name, before[name]])))
      saving.mutate({ path, body }, { onError: toastFailed })
    }
    saving.mutate(
      { path, body: toBody(changed) },
      {
        onSuccess: () => {
          form.resetDirty(values)
          toastDone(t('saved', { name: values.name }), undo)
        },
        onError: showErrors(form),
      },
    )
  }
  return (
    <form className="stack" onSubmit={form.onSubmit(save)}>
      <ProductFields form={form} />
      <FormEnd
        form={form}
        submit={common('save')}
        loading={saving.isPending}
        off={form.isDirty() ? undefined : t('unchanged')}
      />
    </form>
  )
}
