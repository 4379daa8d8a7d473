import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import type { HeaderRow } from '../hook/hook-form.ts'
import { errorOf } from '../hook/part.ts'
import { HeadersPart } from '../hook/receiver-part.tsx'
import { webhookRoot, type WebhookPath } from './webhook-queries.ts'

type Webhook = Schema<'Webhook'>
type EventName = Webhook['events'][number]

const kinds = ['deployment.build', 'deployment.codePush', 'distribution'] as const
const endings = ['created', 'succeeded', 'failed', 'canceled'] as const

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

interface WebhookForm {
  readonly name: string
  readonly url: string
  readonly events: readonly EventName[]
  readonly headers: readonly HeaderRow[]
}

const toForm = ({ name, url, events, headers }: Webhook): WebhookForm => ({
  name,
  url,
  events,
  headers: Object.entries(headers).map(([header, value], key) => ({ key, name: header, value })),
})

const toBody = ({ name, url, events, headers }: WebhookForm): Schema<'WebhookPatch'> => ({
  name: name.trim(),
  url: url.trim(),
  events: [...events],
  headers: Object.fromEntries(
    headers.filter((one) => one.name.trim() !== '').map((one) => [one.name.trim(), one.value]),
  ),
})

const Editor = ({ path, webhook, close }: WebhookSettingsProps & { readonly close: () => void }) => {
  const { t } = useTranslation('subscriptions')
  const [form, setForm] = useState(() => toForm(webhook))
  const saving = useSend('patch', webhookRoot)
  const errors = saving.error?.fields ?? {}
  const change = (changed: Partial<WebhookForm>): void => setForm((before) => ({ ...before, ...changed }))
  const save = (): void =>
    saving.mutate(
      { path, body: toBody(form) },
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
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <TextInput
        label={t('webhook.name')}
        required
        maxLength={100}
        value={form.name}
        error={errorOf(errors, 'name')}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <TextInput
        label={t('url.label')}
        type="url"
        required
        value={form.url}
        error={errorOf(errors, 'url')}
        onChange={(event) => change({ url: event.currentTarget.value })}
      />
      <Events chosen={form.events} choose={(events) => change({ events })} error={errorOf(errors, 'events')} />
      <h3>{t('headers.title')}</h3>
      <HeadersPart headers={form.headers} change={change} error={errorOf(errors, 'headers')} />
      <div className="flex">
        <Action
          main
          type="submit"
          loading={saving.isPending}
          off={form.events.length === 0 ? t('new.events_first') : undefined}
        >
          {t('texts:save')}
        </Action>
        <Action onClick={close}>{t('texts:cancel')}</Action>
      </div>
    </form>
  )
}

interface EventsProps {
  readonly chosen: readonly EventName[]
  readonly choose: (events: readonly EventName[]) => void
  readonly error: string | undefined
}

const Events = ({ chosen, choose, error }: EventsProps) => {
  const { t } = useTranslation('subscriptions')
  const names = kinds.flatMap((kind) => endings.map((ending): EventName => `${kind}.${ending}`))
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0 }}>
      <legend className="strong">{t('field.events')}</legend>
      {names.map((name) => (
        <Checkbox
          key={name}
          mt={6}
          label={<code>{name}</code>}
          checked={chosen.includes(name)}
          onChange={() => choose(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name])}
        />
      ))}
      {error !== undefined && <p className="text-bad">{error}</p>}
    </fieldset>
  )
}
