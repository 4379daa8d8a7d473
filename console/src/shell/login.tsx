import { PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { logIn, session, type Me } from '#api/session.ts'
import { Action } from '#ui/action.tsx'
import { useGo } from '#ui/go.ts'
import { PageTitle } from '#ui/page-title.tsx'
import classes from './login.module.css'

/** Where the login leads: the page that was asked for, if it is one of ours. */
const safeNext = (next: unknown): string => (typeof next === 'string' && /^\/(?![/\\])/.test(next) ? next : '/')

/** Who one is, before anything is shown. */
export const Login = () => {
  const { t } = useTranslation('shell')
  const queries = useQueryClient()
  const go = useGo()
  const search: { readonly next?: unknown } = useSearch({ strict: false })
  const form = useForm({ initialValues: { username: '', password: '' } })
  const logging = useMutation<Me, ApiError, { username: string; password: string }>({
    mutationFn: ({ username, password }) => logIn(username, password),
    onSuccess: (me) => {
      queries.setQueryData(session.queryKey, me)
      go.push(safeNext(search.next))
    },
  })
  return (
    <main className={classes['login']}>
      <form className="stack" onSubmit={form.onSubmit((values) => logging.mutate(values))}>
        <PageTitle>{t('login.title')}</PageTitle>
        <TextInput
          label={t('login.username')}
          autoComplete="username"
          required
          data-autofocus
          {...form.getInputProps('username')}
        />
        <PasswordInput
          label={t('login.password')}
          autoComplete="current-password"
          required
          visibilityToggleButtonProps={{ 'aria-label': t('login.show') }}
          {...form.getInputProps('password')}
        />
        {logging.error !== null && (
          <p role="alert" className="text-bad">
            {logging.error.message}
          </p>
        )}
        <Action main type="submit" fullWidth loading={logging.isPending}>
          {t('login.submit')}
        </Action>
      </form>
    </main>
  )
}
