import { Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { session, useMe } from '#api/session.ts'
import { FormEnd } from '#ui/form-end.tsx'
import { setTimeZone } from '#ui/texts/format.ts'
import { languages, setLanguage } from '#ui/texts/i18n.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'

const zones = Intl.supportedValuesOf('timeZone')
const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Names, language and time zone of whoever is logged in. */
export const ProfileForm = () => {
  const { t } = useTranslation('account')
  const me = useMe()
  const queries = useQueryClient()
  const saving = useSend('patch', '/api/v1/auth/me')
  const { first_name, last_name, locale, time_zone } = me
  const form = useForm({ initialValues: { first_name, last_name, locale, time_zone } })
  const save = (values: typeof form.values): void =>
    saving.mutate(
      { body: values },
      {
        onSuccess: (saved) => {
          setTimeZone(saved.time_zone)
          if (saved.locale !== '') void setLanguage(saved.locale)
          queries.setQueryData(session.queryKey, { ...me, ...saved })
          form.resetDirty()
          toastDone(t('profile.saved'))
        },
        onError: (error) => {
          form.setErrors(error.fields)
          if (Object.keys(error.fields).length === 0) toastFailed(error)
        },
      },
    )
  return (
    <form className="stack" onSubmit={form.onSubmit(save)}>
      <TextInput label={t('profile.first_name')} autoComplete="given-name" {...form.getInputProps('first_name')} />
      <TextInput label={t('profile.last_name')} autoComplete="family-name" {...form.getInputProps('last_name')} />
      <Select
        label={t('profile.language')}
        description={t('profile.language_why')}
        allowDeselect={false}
        data={[
          { value: '', label: t('profile.as_browser') },
          ...languages.map((language) => ({ value: language, label: t(`profile.languages.${language}`) })),
        ]}
        {...form.getInputProps('locale')}
      />
      <Select
        label={t('profile.time_zone')}
        searchable
        allowDeselect={false}
        limit={100}
        data={[
          { value: '', label: t('profile.as_browser_zone', { zone: ownZone }) },
          ...zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
        ]}
        {...form.getInputProps('time_zone')}
      />
      <FormEnd
        form={form}
        submit={t('profile.save')}
        loading={saving.isPending}
        off={form.isDirty() ? undefined : t('profile.unchanged')}
      />
    </form>
  )
}
