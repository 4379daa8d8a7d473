import { Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import type { Schema } from '#api/types.ts'
import { FormEnd } from '#ui/form-end.tsx'
import { showErrors } from '#ui/show-errors.ts'

export type OrganizationValues = Pick<Schema<'Organization'>, 'name' | 'description'>

interface OrganizationFormProps {
  readonly initial: OrganizationValues
  readonly isSaving: boolean
  readonly submit: string
  readonly off?: string | undefined
  readonly save: (values: OrganizationValues, onError: (error: ApiError) => void) => void
}

/** What an organization is called, and what it is for. */
export const OrganizationForm = ({ initial, isSaving, submit, off, save }: OrganizationFormProps) => {
  const { t } = useTranslation('projects')
  const form = useForm({ initialValues: initial })
  return (
    <form className="stack" onSubmit={form.onSubmit((values) => save(values, showErrors(form)))}>
      <TextInput
        label={t('field.name')}
        required
        minLength={2}
        maxLength={100}
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <Textarea
        label={t('field.description')}
        maxLength={255}
        autosize
        minRows={2}
        {...form.getInputProps('description')}
      />
      <FormEnd form={form} submit={submit} off={off} loading={isSaving} />
    </form>
  )
}
