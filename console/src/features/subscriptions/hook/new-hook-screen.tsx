import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { changesBetween } from '#ui/changes.ts'
import { Page } from '#ui/page.tsx'
import { toastFailed } from '#ui/toast.tsx'
import { Unsaved } from '#ui/unsaved.tsx'
import { conflictOf } from './conditions.ts'
import { Created } from './created.tsx'
import { HookFields } from './hook-fields.tsx'
import { emptyForm, newSecret, toBody, type HookForm } from './hook-form.ts'
import classes from './hook.module.css'

/** Makes a hook, then shows its secret once and tests it. */
export const NewHookScreen = () => {
  const { t } = useTranslation('subscriptions')
  const [form, setForm] = useState(emptyForm)
  const [made, setMade] = useState<{ readonly hook: Schema<'Hook'>; readonly secret: string | undefined }>()
  const making = useSend('post', '/whisperer/hooks')
  const submit = (): void => {
    const secret = form.signature === 'v1' ? newSecret() : undefined
    const body = { ...toBody(form), ...(secret !== undefined && { secret_key: secret }) }
    making.mutate(
      { body },
      {
        onSuccess: (hook) => setMade({ hook, secret }),
        onError: (error) => {
          if (Object.keys(error.fields).length === 0) toastFailed(error)
        },
      },
    )
  }
  if (made !== undefined) return <Created {...made} />
  return (
    <Page title={t('new.title')} about={t('new.about')} request={requestOf(form)}>
      <form
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <HookFields
          form={form}
          change={(changed) => setForm((before) => ({ ...before, ...changed }))}
          errors={making.error?.fields ?? {}}
        />
        <div className={classes['send']}>
          <Action main type="submit" loading={making.isPending} off={whyNot(form, t)}>
            {t('new.submit')}
          </Action>
          {Object.keys(making.error?.fields ?? {}).length > 0 && (
            <span className="text-bad" role="alert">
              {making.error?.message}
            </span>
          )}
        </div>
        <Unsaved changes={changesBetween(emptyForm, form)} />
      </form>
    </Page>
  )
}

const requestOf = (form: HookForm) => ({ method: 'POST' as const, url: '/whisperer/hooks/', body: toBody(form) })

/** What is still missing. */
export const whyNot = (
  { events, url, conditions }: HookForm,
  t: ReturnType<typeof useTranslation<'subscriptions'>>['t'],
): string | undefined => {
  if (events.length === 0) return t('new.events_first')
  if (url.trim() === '') return t('new.url_first')
  return conflictOf(conditions) === undefined ? undefined : t('trial.conflict_first')
}
