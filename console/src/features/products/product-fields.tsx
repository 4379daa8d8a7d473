import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import type { Body } from '#api/types.ts'
import { JsonField, readJson, writeJson } from '#ui/json-field.tsx'
import type { Product } from './product-list.tsx'

export interface ProductForm {
  readonly name: string
  readonly sku: string
  readonly remote_id: string
  readonly price: string
  readonly currency: string
  readonly category: string
  readonly base_code: string
  readonly image: string
  /** As JSON. */
  readonly attributes: string
}

export const noProduct: ProductForm = {
  name: '',
  sku: '',
  remote_id: '',
  price: '',
  currency: 'EUR',
  category: '',
  base_code: '',
  image: '',
  attributes: '',
}

export const formOf = ({ remote_id: remote, attributes, ...product }: Product): ProductForm => ({
  name: product.name,
  sku: product.sku,
  remote_id: String(remote),
  price: product.price,
  currency: product.currency,
  category: product.category,
  base_code: product.base_code,
  image: product.image,
  attributes: Object.keys(attributes).length === 0 ? '' : writeJson(attributes),
})

/** What the API takes of some fields of the form. */
export const toBody = ({ attributes, ...texts }: Partial<ProductForm>): Body<'patch', '/api/v1/products/{id}'> => {
  const read = readJson(attributes ?? '')
  return {
    ...texts,
    ...(attributes !== undefined && { attributes: read.isWrong ? {} : (read.value ?? {}) }),
  }
}

export const validate = {
  // The field says what is wrong with it.
  attributes: (text: string) => readJson(text).isWrong,
}

/** The fields of a product. */
export const ProductFields = ({ form }: { readonly form: UseFormReturnType<ProductForm> }) => {
  const { t } = useTranslation('products')
  const attributes = form.getInputProps('attributes') as Pick<
    ComponentProps<typeof JsonField>,
    'value' | 'onChange' | 'error'
  >
  return (
    <>
      <TextInput label={t('field.name')} required maxLength={255} {...form.getInputProps('name')} />
      <div className="flex" style={{ alignItems: 'start' }}>
        <TextInput
          className="grow"
          label={t('field.price')}
          required
          inputMode="decimal"
          {...form.getInputProps('price')}
        />
        <TextInput
          label={t('field.currency')}
          required
          maxLength={3}
          w={90}
          {...form.getInputProps('currency')}
          onChange={(event) => form.setFieldValue('currency', event.currentTarget.value.toUpperCase())}
        />
      </div>
      <TextInput
        label={t('field.remote_id')}
        description={t('remote_id_why')}
        required
        maxLength={255}
        {...form.getInputProps('remote_id')}
      />
      <TextInput label={t('field.sku')} description={t('sku_why')} maxLength={255} {...form.getInputProps('sku')} />
      <TextInput label={t('field.category')} maxLength={255} {...form.getInputProps('category')} />
      <TextInput
        label={t('field.base_code')}
        description={t('base_code_why')}
        maxLength={255}
        {...form.getInputProps('base_code')}
      />
      <TextInput
        label={t('field.image')}
        description={t('image_why')}
        type="url"
        maxLength={2048}
        {...form.getInputProps('image')}
      />
      <JsonField label={t('field.attributes')} description={t('attributes_why')} minRows={4} {...attributes} />
    </>
  )
}
