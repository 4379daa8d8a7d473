import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { changesBetween } from '#ui/changes.ts'
import { Unsaved } from '#ui/unsaved.tsx'
import type { HeaderRow } from '../hook/hook-form.ts'
import { errorOf } from '../hook/form-part.ts'
import { HeadersPart } from '../hook/receiver-part.tsx'

type Webhook = Schema<'Webhook'>
type EventName = Webhook['events'][number]
export type WebhookBody = Required<Pick<Schema<'NewWebhook'>, 'name' | 'url' | 'events' | 'headers'>>

const kinds = ['deployment.build', 'deployment.codePush', 'distribution'] as const
const endings = ['created', 'succeeded', 'failed', 'canceled'] as const

/** A webhook as its fields have it. */
interface Form {
  readonly name: string
  readonly url: string
  readonly events: readonly EventName[]
  readonly headers: readonly HeaderRow[]
}

const toForm = ({ name, url, events, headers }: Webhook): Form => ({
  name,
  url,
  events,
  headers: Object.entries(headers).map(([header, value], key) => ({ key, name: header, value })),
})

const toBody = ({ name, url, events, headers }: Form): WebhookBody => ({
  name: name.trim(),
  url: url.trim(),
  events: [...events],
  headers: Object.fromEntries(
    headers.filter((one) => one.name.trim() !== '').map((one) => [one.name.trim(), one.value]),
  ),
})

const emptyForm: Form = { name: '', url: '', events: [], headers: [] }

interface WebhookFormProps {
  /** What is edited; undefined for a new one. */
  readonly webhook?: Webhook
  readonly save: (body: WebhookBody) => void
  readonly isPending: boolean
  readonly errors: Readonly<Record<string, string>>
  /** The words of the button that saves. */
  readonly submit: string
  readonly cancel: () => void
}

/** Name, address, events and headers of a webhook; errors stand at their field. */
export const WebhookForm = ({ webhook, save, isPending, errors, submit, cancel }: WebhookFormProps) => {
  const { t } = useTranslation('subscriptions')
  const [before] = useState(() => (webhook === undefined ? emptyForm : toForm(webhook)))
  const [form, setForm] = useState(before)
  const change = (changed: Partial<Form>): void => setForm((now) => ({ ...now, ...changed }))
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        save(toBody(form))
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
      <h2>{t('headers.title')}</h2>
      <HeadersPart headers={form.headers} change={change} error={errorOf(errors, 'headers')} />
      <div className="flex">
        <Action
          main
          type="submit"
          loading={isPending}
          off={form.events.length === 0 ? t('new.events_first') : undefined}
        >
          {submit}
        </Action>
        <Action onClick={cancel}>{t('texts:cancel')}</Action>
      </div>
      <Unsaved changes={changesBetween(before, form)} />
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
