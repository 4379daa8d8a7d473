import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { recordOf, useSend } from '#api/queries.ts'
import { products } from '#parts/records.ts'
import { Drawer } from '#ui/drawer.tsx'
import { FormEnd } from '#ui/form-end.tsx'
import { useGo } from '#ui/go.ts'
import type { Search } from '#ui/list/filters.ts'
import { RecordSelect } from '#ui/list/record-select.tsx'
import { stringifySearch } from '#ui/list/search-text.ts'
import { showErrors } from '#ui/show-errors.ts'
import { formatMoney } from '#ui/texts/format.ts'
import { toastDone } from '#ui/toast.tsx'
import { PriceFields, toBody, type PriceForm } from './price-fields.tsx'

interface NewPriceForm extends PriceForm {
  readonly product: string | null
}

const idIn = (search: Search, name: string): string | null => {
  const value = search[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** A new price is of the division and the product that the list was narrowed to. */
const useNewPriceForm = (search: Search) => {
  const { t } = useTranslation('prices')
  return useForm<NewPriceForm>({
    initialValues: {
      division: idIn(search, 'division'),
      product: idIn(search, 'product'),
      covers: 'tree',
      name: '',
      price: '',
      valid_from: '',
      valid_to: '',
    },
    validate: {
      division: (id) => (id === null ? t('choose_division') : null),
      product: (id) => (id === null ? t('choose_product') : null),
    },
  })
}

/** Sets what a division pays for a product. */
export const NewPriceDrawer = () => {
  const { t } = useTranslation('prices')
  const go = useGo()
  const making = useSend('post', '/api/v1/prices')
  const search: Search = useSearch({ strict: false })
  const form = useNewPriceForm(search)
  const chosen = form.values.product
  const { data: product } = useQuery({
    ...recordOf('/api/v1/products/{id}', { path: { id: Number(chosen) } }),
    enabled: chosen !== null,
  })
  const save = ({ product: _product, valid_from: from, name, price, ...values }: NewPriceForm): void => {
    if (product === undefined) return
    const body = { ...toBody(values), ...(from !== '' && { valid_from: from }), name, price }
    making.mutate(
      { body: { ...body, division: Number(values.division), product_remote_id: product.remote_id } },
      {
        onSuccess: ({ id }) => {
          toastDone(t('made'))
          go.replace(`/prices/${id}${stringifySearch(search)}`)
        },
        onError: showErrors(form),
      },
    )
  }
  return (
    <Drawer closeTo="/prices" title={t('new.title')} about={t('new.about')} isNew>
      <form className="stack" onSubmit={form.onSubmit(save)}>
        <RecordSelect
          label={t('field.product')}
          description={
            product === undefined
              ? undefined
              : t('list_price_is', { price: formatMoney(product.price, product.currency) })
          }
          required
          records={products}
          value={chosen}
          onChange={(id) => form.setFieldValue('product', id)}
          error={form.errors['product']}
        />
        <PriceFields form={form} currency={product?.currency} />
        <FormEnd form={form} submit={t('new.submit')} loading={making.isPending} />
      </form>
    </Drawer>
  )
}
