import { Checkbox, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEventCatalogue, type EventFacts } from '#api/event-catalogue.ts'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { changesBetween } from '#ui/changes.ts'
import { JsonField, readJson, writeJson } from '#ui/json-field.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { FormDialog } from '#ui/unsaved.tsx'

interface RaiseForm {
  readonly type: string | null
  readonly id: string
  readonly data: string
  readonly isStrict: boolean
}

/** Raises an event, as a system outside would. */
export const RaiseDialog = ({ close }: { readonly close: () => void }) => {
  const { t } = useTranslation('events')
  const { events = [] } = useEventCatalogue()
  const { form, changes, change, submit, isWhole, isPending, errors } = useRaise(close)
  return (
    <FormDialog changes={changes} close={close} title={t('raise.title')} size="lg">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Fields events={events} form={form} change={change} errors={errors} />
        <div className="flex">
          <Action main type="submit" loading={isPending} off={isWhole ? undefined : t('raise.first')}>
            {t('raise.submit')}
          </Action>
          <Action onClick={close}>{t('texts:cancel')}</Action>
        </div>
      </form>
    </FormDialog>
  )
}

interface FieldsProps {
  readonly events: readonly EventFacts[]
  readonly form: RaiseForm
  readonly change: (changed: Partial<RaiseForm>) => void
  readonly errors: Readonly<Record<string, string>>
}

const Fields = ({ events, form, change, errors }: FieldsProps) => {
  const { t } = useTranslation('events')
  const choose = (type: string | null): void =>
    change({ type, data: writeJson(events.find(({ name }) => name === type)?.example ?? {}) })
  return (
    <>
      <p className="muted">{t('raise.why')}</p>
      <Select
        label={t('raise.type')}
        placeholder={t('raise.type_hint')}
        searchable
        required
        data={events.map(({ name }) => name)}
        value={form.type}
        error={errors['type']}
        onChange={choose}
      />
      <TextInput
        label={t('raise.id')}
        description={t('raise.id_why')}
        required
        maxLength={128}
        value={form.id}
        error={errors['id']}
        onChange={(event) => change({ id: event.currentTarget.value })}
      />
      <JsonField
        label={t('data')}
        required
        minRows={10}
        value={form.data}
        error={dataError(errors)}
        onChange={(text) => change({ data: text })}
      />
      <Checkbox
        label={t('raise.strict')}
        description={t('raise.strict_why')}
        checked={form.isStrict}
        onChange={(event) => change({ isStrict: event.currentTarget.checked })}
      />
    </>
  )
}

/** The form of an event, and how it is sent. */
const useRaise = (close: () => void) => {
  const { t } = useTranslation('events')
  const [before] = useState<RaiseForm>(() => ({
    type: null,
    id: `console-${crypto.randomUUID()}`,
    data: '',
    isStrict: true,
  }))
  const [form, setForm] = useState(before)
  const raising = useSend('post', '/api/v1/events')
  const data = readJson(form.data)
  const { type, id, isStrict } = form
  const value = data.isWrong ? null : data.value
  const submit = (): void => {
    if (type === null || value === null) return
    raising.mutate(
      { query: { strict: isStrict }, body: { id, type, data: value } },
      {
        onSuccess: ({ accepted }) => {
          toastDone(t('raise.done', { count: accepted }))
          close()
        },
        onError: (error) => {
          if (Object.keys(error.fields).length === 0) toastFailed(error)
        },
      },
    )
  }
  return {
    form,
    changes: changesBetween(before, form),
    change: (changed: Partial<RaiseForm>): void => setForm((now) => ({ ...now, ...changed })),
    submit,
    isWhole: type !== null && value !== null,
    isPending: raising.isPending,
    errors: raising.error?.fields ?? {},
  }
}

/** What the server said of the data, with the path of each part. */
const dataError = (fields: Readonly<Record<string, string>>): string | undefined => {
  const words = Object.entries(fields).flatMap(([name, text]) =>
    name === 'type' || name === 'id' ? [] : [`${name}: ${text}`],
  )
  return words.length === 0 ? undefined : words.join(' ')
}
