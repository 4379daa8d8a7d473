import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { Refused } from '../parts/states.tsx'
import { useSaveMe } from './save-me.ts'

/** Another password, for whoever knows the present one. */
export const NewPassword = () => {
  const { t } = useTranslation('shop')
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const saving = useSaveMe()
  const fields = saving.error?.fields ?? {}
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate(
          { password: next, current_password: current },
          {
            onSuccess: () => {
              setCurrent('')
              setNext('')
            },
          },
        )
      }}
    >
      <h2>{t('account.password')}</h2>
      <Field
        label={t('account.current_password')}
        type="password"
        autoComplete="current-password"
        required
        value={current}
        error={fields['current_password']}
        onChange={({ target }) => setCurrent(target.value)}
      />
      <Field
        label={t('password.new')}
        hint={t('password.rule')}
        type="password"
        autoComplete="new-password"
        required
        minLength={8}
        value={next}
        error={fields['password']}
        onChange={({ target }) => setNext(target.value)}
      />
      <Refused error={Object.keys(fields).length === 0 ? saving.error : null} />
      <div className="flex">
        <Button type="submit" isBusy={saving.isPending}>
          {t('account.change_password')}
        </Button>
        <span role="status" className="muted">
          {saving.isSuccess && next === '' && t('account.password_changed')}
        </span>
      </div>
    </form>
  )
}
