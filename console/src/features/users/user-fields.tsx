import { Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { listOf } from '#api/queries.ts'
import { accesses, rightsOf, type Access } from './access.ts'

export interface UserForm {
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly access: Access
  /** Id of the division, as a Select has it; empty: none. */
  readonly division: string | null
}

/** What the API takes of the form. */
export const toBody = ({ access, division, ...names }: UserForm) => ({
  ...names,
  ...rightsOf(access),
  division: division === null ? null : Number(division),
})

/** The API answers at most 100 at a time; who has more divisions names the rest by id in a request. */
export const divisions = listOf('/api/v1/divisions', { query: { limit: 100, ordering: 'name' } })

/** The fields of a user that a superuser fills in. */
export const UserFields = ({ form }: { readonly form: UseFormReturnType<UserForm> }) => {
  const { t } = useTranslation('users')
  const { data } = useQuery(divisions)
  const { division } = form.values
  const known = (data?.rows ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const isKnown = division === null || known.some(({ value }) => value === division)
  return (
    <>
      <TextInput label={t('field.email')} type="email" required autoComplete="off" {...form.getInputProps('email')} />
      <TextInput label={t('field.first_name')} autoComplete="off" {...form.getInputProps('first_name')} />
      <TextInput label={t('field.last_name')} autoComplete="off" {...form.getInputProps('last_name')} />
      <Select
        label={t('field.access')}
        description={t(`access_why.${form.values.access}`)}
        allowDeselect={false}
        data={accesses.map((value) => ({ value, label: t(`access.${value}`) }))}
        {...form.getInputProps('access')}
      />
      <Select
        label={t('field.division')}
        description={t('division_why')}
        placeholder={t('no_division')}
        clearable
        searchable
        data={isKnown ? known : [...known, { value: division, label: `# ${division}` }]}
        {...form.getInputProps('division')}
      />
    </>
  )
}
