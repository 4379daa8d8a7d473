import { CloseButton, PasswordInput, Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import type { AuthForm, HeaderRow } from './hook-form.ts'
import type { PartProps } from './form-part.ts'
import classes from './hook.module.css'

const kinds = ['none', 'basic', 'token'] as const

interface HeadersPartProps {
  readonly headers: readonly HeaderRow[]
  readonly change: (changed: { readonly headers: readonly HeaderRow[] }) => void
  readonly error: string | undefined
}

/** Headers that the receiver wants. */
export const HeadersPart = ({ headers, change, error }: HeadersPartProps) => {
  const { t } = useTranslation('subscriptions')
  const put = (next: HeaderRow): void => change({ headers: headers.map((one) => (one.key === next.key ? next : one)) })
  const add = (): void => {
    const key = Math.max(-1, ...headers.map((one) => one.key)) + 1
    change({ headers: [...headers, { key, name: '', value: '' }] })
  }
  return (
    <div className="stack">
      {headers.map((header) => (
        <div key={header.key} className={classes['header']}>
          <TextInput
            aria-label={t('headers.name')}
            placeholder="X-Shop"
            value={header.name}
            onChange={(event) => put({ ...header, name: event.currentTarget.value })}
          />
          <TextInput
            aria-label={t('headers.value')}
            value={header.value}
            onChange={(event) => put({ ...header, value: event.currentTarget.value })}
          />
          <CloseButton
            aria-label={t('headers.remove')}
            onClick={() => change({ headers: headers.filter(({ key }) => key !== header.key) })}
          />
        </div>
      ))}
      {error !== undefined && <p className="text-bad">{error}</p>}
      <div>
        <Action off={headers.length < 20 ? undefined : t('headers.most')} onClick={add}>
          {t('headers.add')}
        </Action>
      </div>
    </div>
  )
}

/** How deliveries log in at the receiver. */
export const AuthPart = ({ form, change }: PartProps) => {
  const { t } = useTranslation('subscriptions')
  const { auth } = form
  const put = (next: Partial<AuthForm>): void => change({ auth: { ...auth, ...next } })
  const text = (name: Exclude<keyof AuthForm, 'kind' | 'password'>) => (
    <TextInput
      key={name}
      label={t(`auth.${name}`)}
      autoComplete="off"
      value={auth[name]}
      onChange={(event) => put({ [name]: event.currentTarget.value })}
    />
  )
  return (
    <div className={classes['fields']}>
      <Select
        label={t('auth.kind')}
        allowDeselect={false}
        data={kinds.map((value) => ({ value, label: t(`auth.kinds.${value}`) }))}
        value={auth.kind}
        onChange={(kind) => put({ kind: kind as AuthForm['kind'] })}
      />
      {auth.kind === 'token' && text('url')}
      {auth.kind !== 'none' && (
        <>
          {text('username')}
          <PasswordInput
            label={t('auth.password')}
            autoComplete="off"
            value={auth.password}
            onChange={(event) => put({ password: event.currentTarget.value })}
          />
        </>
      )}
      {auth.kind === 'token' && (['username_field', 'password_field', 'token_key', 'header_format'] as const).map(text)}
    </div>
  )
}
