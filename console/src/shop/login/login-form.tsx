import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { logIn, session, type Me } from '#api/session.ts'
import { speakTo } from '#ui/texts/speak-to.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { Refused } from '../parts/states.tsx'

interface LoginFormProps {
  /** Who was logged in before, if anybody. */
  readonly username?: string
  readonly onDone: (me: Me) => void
}

/** Name and password, and the session that they begin. */
export const LoginForm = ({ username: known = '', onDone }: LoginFormProps) => {
  const { t } = useTranslation('shop')
  const queries = useQueryClient()
  const [username, setUsername] = useState(known)
  const [password, setPassword] = useState('')
  const logging = useMutation<Me, ApiError>({
    mutationFn: () => logIn(username, password),
    onSuccess: async (me) => {
      await speakTo(me)
      queries.setQueryData(session.queryKey, me)
      onDone(me)
    },
  })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        logging.mutate()
      }}
    >
      <Field
        label={t('login.email')}
        autoComplete="username"
        autoCapitalize="none"
        inputMode="email"
        required
        value={username}
        onChange={({ target }) => setUsername(target.value)}
      />
      <Field
        label={t('login.password')}
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
      <Refused error={logging.error} />
      <Button kind="main" type="submit" isWide isBusy={logging.isPending}>
        {t('login.submit')}
      </Button>
    </form>
  )
}
