import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { changesBetween } from '#ui/changes.ts'
import { formatDuration, formatNumber } from '#ui/texts/format.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { Unsaved } from '#ui/unsaved.tsx'
import { HookFields } from './hook-fields.tsx'
import { eventsOf, toBody, toForm } from './hook-form.ts'
import { whyNot } from './new-hook-screen.tsx'
import { retryTimes, usualAttempts } from './retry-times.ts'
import classes from './hook.module.css'

/** The settings of a hook, read or, where they stand, edited. */
export const HookSettings = ({ hook }: { readonly hook: Schema<'Hook'> }) => {
  const { t } = useTranslation('subscriptions')
  const [isEditing, edit] = useState(false)
  return (
    <section className={classes['form']}>
      <div className="flex between">
        <h2>{t('settings.title')}</h2>
        {!isEditing && <Action onClick={() => edit(true)}>{t('settings.edit')}</Action>}
      </div>
      {isEditing ? <Editor hook={hook} close={() => edit(false)} /> : <Facts hook={hook} />}
    </section>
  )
}

const Editor = ({ hook, close }: { readonly hook: Schema<'Hook'>; readonly close: () => void }) => {
  const { t } = useTranslation('subscriptions')
  const [before] = useState(() => toForm(hook))
  const [form, setForm] = useState(before)
  const saving = useSend('patch', '/whisperer/hooks/{id}')
  const save = (): void =>
    saving.mutate(
      { path: { id: hook.id }, body: toBody(form) },
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
  const fields = saving.error?.fields ?? {}
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <HookFields form={form} change={(changed) => setForm((now) => ({ ...now, ...changed }))} errors={fields} />
      <div className={classes['send']}>
        <Action main type="submit" loading={saving.isPending} off={whyNot(form, t)}>
          {t('texts:save')}
        </Action>
        <Action onClick={close}>{t('texts:cancel')}</Action>
        {Object.keys(fields).length > 0 && (
          <span className="text-bad" role="alert">
            {saving.error?.message}
          </span>
        )}
      </div>
      <Unsaved changes={changesBetween(before, form)} />
    </form>
  )
}

const Facts = ({ hook }: { readonly hook: Schema<'Hook'> }) => {
  const { t } = useTranslation('subscriptions')
  const { choice, kwargs } = hook.retry_countdown_config
  const {
    filter,
    format,
    max_attempts: attempts = usualAttempts,
    order,
    rate_limit: rate,
    auth,
    signature,
  } = hook.config
  const last = retryTimes(choice, kwargs, attempts).at(-1) ?? 0
  const rows: readonly (readonly [string, string])[] = [
    [t('url.label'), hook.target_url],
    [t('field.events'), eventsOf(hook).join(', ')],
    [t('step.which'), filter === undefined ? t('filter.none') : JSON.stringify(filter)],
    [
      t('retry.title'),
      t('settings.retry', {
        choice: t(`retry.choices.${choice}`),
        count: attempts,
        last: formatDuration(last * 1_000),
      }),
    ],
    [t('settings.order'), t(order === 'object' ? 'sending.ordered' : 'settings.unordered')],
    [t('sending.per_second'), rate === undefined ? t('sending.unlimited') : formatNumber(rate.per_second)],
    [t('sending.format'), t(`sending.formats.${format ?? 'original'}`)],
    [t('sending.signature'), t(`sending.signatures.${signature ?? 'v1'}`)],
    [
      t('headers.title'),
      Object.entries(hook.additional_headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join(', ') || t('texts:none'),
    ],
    [t('auth.title'), t(`auth.kinds.${auth?.auth_type ?? 'none'}`)],
  ]
  return (
    <dl className="facts">
      {rows.map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
