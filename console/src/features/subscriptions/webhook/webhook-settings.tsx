import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { WebhookForm, type WebhookBody } from './webhook-form.tsx'
import { webhookRoot, type WebhookPath } from './webhook-queries.ts'

type Webhook = Schema<'Webhook'>

interface WebhookSettingsProps {
  readonly path: WebhookPath
  readonly webhook: Webhook
}

/** The settings of a webhook, read or, where they stand, edited. */
export const WebhookSettings = ({ path, webhook }: WebhookSettingsProps) => {
  const { t } = useTranslation('subscriptions')
  const [isEditing, edit] = useState(false)
  return (
    <section className="stack">
      <div className="flex between">
        <h2>{t('settings.title')}</h2>
        {!isEditing && <Action onClick={() => edit(true)}>{t('settings.edit')}</Action>}
      </div>
      {isEditing ? (
        <Editor path={path} webhook={webhook} close={() => edit(false)} />
      ) : (
        <dl className="facts">
          <dt>{t('webhook.name')}</dt>
          <dd>{webhook.name}</dd>
          <dt>{t('url.label')}</dt>
          <dd>{webhook.url}</dd>
          <dt>{t('field.events')}</dt>
          <dd>
            {webhook.events.map((name) => (
              <div key={name}>
                <code>{name}</code>
              </div>
            ))}
          </dd>
          <dt>{t('headers.title')}</dt>
          <dd>
            {Object.entries(webhook.headers).map(([name, value]) => (
              <div key={name}>{`${name}: ${value}`}</div>
            ))}
            {Object.keys(webhook.headers).length === 0 && t('texts:none')}
          </dd>
        </dl>
      )}
    </section>
  )
}

const Editor = ({ path, webhook, close }: WebhookSettingsProps & { readonly close: () => void }) => {
  const { t } = useTranslation('subscriptions')
  const saving = useSend('patch', webhookRoot)
  const save = (body: WebhookBody): void =>
    saving.mutate(
      { path, body },
      {
        onSuccess: () => {
          toastDone(t('settings.saved'))
          close()
        },
        onError: (error) => {
          if (Object.keys(error.fields).length === 0) toastFailed(error)
        },
      },
    )
  return (
    <WebhookForm
      webhook={webhook}
      save={save}
      isPending={saving.isPending}
      errors={saving.error?.fields ?? {}}
      submit={t('texts:save')}
      cancel={close}
    />
  )
}
