import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import classes from '../home.module.css'

/** A secret as Standard Webhooks writes it. */
const newSecret = (): string => `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))))}`

interface NewSubscriptionProps {
  /** Gets the secret, which the server shows to nobody again. */
  readonly onMade: (secret: string) => void
}

/** Subscribes an endpoint to every event: the least that the first one needs. */
export const NewSubscription = ({ onMade }: NewSubscriptionProps) => {
  const { t } = useTranslation('home')
  const making = useSend('post', '/whisperer/hooks')
  const form = useForm({ initialValues: { target_url: '' } })
  return (
    <form
      className="stack"
      onSubmit={form.onSubmit(({ target_url }) => {
        const secret = newSecret()
        // As a promise, because this form is gone as soon as the subscription is there.
        making.mutateAsync({ body: { event_type: '*', target_url, secret_key: secret } }).then(
          () => onMade(secret),
          (error: ApiError) => form.setErrors(error.fields),
        )
      })}
    >
      <p className="muted">{t('setup.subscribe.why')}</p>
      <div className={classes['row']}>
        <TextInput
          label={t('setup.subscribe.url')}
          description={t('setup.subscribe.url_hint')}
          type="url"
          required
          placeholder="https://example.com/hooks"
          {...form.getInputProps('target_url')}
        />
        <Action main type="submit" loading={making.isPending}>
          {t('setup.subscribe.do')}
        </Action>
      </div>
      {making.error !== null && making.error.fields['target_url'] === undefined && (
        <p role="alert" className="text-bad">
          {making.error.message}
        </p>
      )}
    </form>
  )
}
