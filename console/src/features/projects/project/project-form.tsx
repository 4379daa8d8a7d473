import { Select, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import type { Schema } from '#api/types.ts'
import { FormEnd } from '#ui/form-end.tsx'
import { showErrors } from '#ui/show-errors.ts'
import { slugOf } from './slug.ts'

type Project = Schema<'Project'>
export type ProjectValues = Pick<Project, 'name' | 'slug' | 'description' | 'status'> & { readonly appIconUrl: string }
type ProjectBody = Omit<ProjectValues, 'appIconUrl'> & { readonly appIconUrl: string | null }

const statuses = ['draft', 'active', 'inactive'] as const satisfies readonly Project['status'][]

interface ProjectFormProps {
  readonly initial: ProjectValues
  readonly isSaving: boolean
  readonly submit: string
  readonly off: string | undefined
  readonly save: (body: ProjectBody, onError: (error: ApiError) => void) => void
}

/** What a project is called, and how it stands. The slug of a new one follows its name until somebody writes another. */
export const ProjectForm = ({ initial, isSaving, submit, off, save }: ProjectFormProps) => {
  const { t } = useTranslation('projects')
  const form = useForm({ initialValues: initial })
  const { name, slug } = form.values
  const rename = (next: string): void => {
    form.setFieldValue('name', next)
    if (initial.slug === '' && slug === slugOf(name)) form.setFieldValue('slug', slugOf(next))
  }
  const send = ({ appIconUrl, ...values }: ProjectValues): void =>
    save({ ...values, appIconUrl: appIconUrl || null }, showErrors(form))
  return (
    <form className="stack" onSubmit={form.onSubmit(send)}>
      <TextInput
        label={t('field.name')}
        required
        minLength={2}
        maxLength={100}
        autoComplete="off"
        {...form.getInputProps('name')}
        onChange={({ currentTarget: { value } }) => rename(value)}
      />
      <TextInput
        label={t('field.slug')}
        description={t('project.slug_why')}
        required
        minLength={2}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('slug')}
      />
      <Textarea
        label={t('field.description')}
        maxLength={255}
        autosize
        minRows={2}
        {...form.getInputProps('description')}
      />
      <Select
        label={t('field.status')}
        allowDeselect={false}
        data={statuses.map((value) => ({ value, label: t(`project_status.${value}`) }))}
        {...form.getInputProps('status')}
      />
      <TextInput label={t('field.appIconUrl')} type="url" maxLength={2048} {...form.getInputProps('appIconUrl')} />
      <FormEnd form={form} submit={submit} off={off} loading={isSaving} />
    </form>
  )
}
