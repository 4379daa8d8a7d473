import { Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { divisions } from '#parts/records.ts'
import { RecordSelect } from '#ui/list/record-select.tsx'
import type { Division } from './division-list.ts'

export interface DivisionForm {
  readonly name: string
  /** Id of what it hangs from, as a field has it; null: it is a main division. */
  readonly parent: string | null
  readonly erp_code: string
  /** Empty: none. */
  readonly monthly_order_limit: string
  readonly phone_number: string
  readonly address: string
}

export const noDivision: DivisionForm = {
  name: '',
  parent: null,
  erp_code: '',
  monthly_order_limit: '',
  phone_number: '',
  address: '',
}

export const formOf = (division: Division): DivisionForm => ({
  name: division.name,
  parent: division.parent === null ? null : String(division.parent),
  erp_code: division.erp_code,
  monthly_order_limit: Number(division.monthly_order_limit) === 0 ? '' : division.monthly_order_limit,
  phone_number: division.phone_number,
  address: division.address,
})

/** What the API takes of some fields of the form. */
export const toBody = ({
  parent,
  monthly_order_limit: limit,
  ...texts
}: Partial<DivisionForm>): Schema<'DivisionPatch'> => ({
  ...texts,
  ...(parent !== undefined && { parent: parent === null ? null : Number(parent) }),
  ...(limit !== undefined && { monthly_order_limit: limit.trim() === '' ? null : limit.trim() }),
})

/** The fields of a division. */
export const DivisionFields = ({ form }: { readonly form: UseFormReturnType<DivisionForm> }) => {
  const { t } = useTranslation('divisions')
  return (
    <>
      <TextInput label={t('field.name')} required maxLength={255} {...form.getInputProps('name')} />
      <RecordSelect
        label={t('field.parent')}
        description={t('parent_why')}
        none={t('no_parent')}
        records={divisions}
        value={form.values.parent}
        onChange={(id) => form.setFieldValue('parent', id)}
        error={form.errors['parent']}
      />
      <TextInput
        label={t('field.erp_code')}
        description={t('erp_code_why')}
        maxLength={100}
        {...form.getInputProps('erp_code')}
      />
      <TextInput
        label={t('field.limit')}
        description={t('limit.why')}
        inputMode="decimal"
        {...form.getInputProps('monthly_order_limit')}
      />
      <TextInput label={t('field.phone_number')} maxLength={50} {...form.getInputProps('phone_number')} />
      <Textarea label={t('field.address')} maxLength={1_000} autosize minRows={2} {...form.getInputProps('address')} />
    </>
  )
}
