import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { changesBetween } from '#ui/changes.ts'
import { JsonField, readJson, writeJson } from '#ui/json-field.tsx'
import { Unsaved } from '#ui/unsaved.tsx'

type EventType = Schema<'EventType'>
type Sent = Pick<Schema<'NewEventType'>, 'name' | 'description' | 'schema' | 'example'>

/** As its fields have it; JSON as text. */
interface Form {
  readonly name: string
  readonly description: string
  readonly schema: string
  readonly example: string
}

const toForm = (type: EventType | undefined): Form => ({
  name: type?.name ?? '',
  description: type?.description ?? '',
  schema: writeJson(type?.schema),
  example: writeJson(type?.example),
})

interface EventTypeFormProps {
  /** What is edited; undefined for a new one. */
  readonly type?: EventType
  readonly save: (sent: Sent) => void
  readonly isPending: boolean
  readonly error: ApiError | null
}

/** Name, description, schema and example of a type of events; errors stand at their field. */
export const EventTypeForm = ({ type, save, isPending, error }: EventTypeFormProps) => {
  const { t } = useTranslation('event-types')
  const [form, setForm] = useState(() => toForm(type))
  const change = (changed: Partial<Form>): void => setForm((before) => ({ ...before, ...changed }))
  const schema = readJson(form.schema)
  const example = readJson(form.example)
  const submit = (): void => {
    if (schema.isWrong || example.isWrong) return
    save({ name: form.name.trim(), description: form.description, schema: schema.value, example: example.value })
  }
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Fields form={form} change={change} error={error} isNew={type === undefined} />
      <div>
        <Action
          main
          type="submit"
          loading={isPending}
          off={schema.isWrong || example.isWrong ? t('json_first') : undefined}
        >
          {t(type === undefined ? 'new.submit' : 'texts:save')}
        </Action>
      </div>
      <Unsaved changes={changesBetween(toForm(type), form)} />
    </form>
  )
}

interface FieldsProps extends Pick<EventTypeFormProps, 'error'> {
  readonly form: Form
  readonly change: (changed: Partial<Form>) => void
  /** A name that was given stays. */
  readonly isNew: boolean
}

const Fields = ({ form, change, error, isNew }: FieldsProps) => {
  const { t } = useTranslation('event-types')
  return (
    <>
      {isNew && (
        <TextInput
          label={t('field.name')}
          description={t('name_hint')}
          placeholder="crm.customer.updated"
          required
          maxLength={100}
          value={form.name}
          error={errorAt(error, 'name')}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
      )}
      <Textarea
        label={t('field.description')}
        description={t('description_hint')}
        required
        autosize
        maxLength={1000}
        value={form.description}
        error={errorAt(error, 'description')}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      <JsonField
        label={t('field.schema')}
        description={t('schema_hint')}
        value={form.schema}
        error={errorAt(error, 'schema')}
        onChange={(text) => change({ schema: text })}
      />
      <JsonField
        label={t('field.example')}
        description={t('example_hint')}
        value={form.example}
        error={errorAt(error, 'example')}
        onChange={(text) => change({ example: text })}
      />
    </>
  )
}

/** What the server said of a field, with the path of what is wrong inside it. */
const errorAt = (error: ApiError | null, field: string): string | undefined => {
  const words = Object.entries(error?.fields ?? {}).flatMap(([name, text]) => {
    if (name === field) return [text]
    return name.startsWith(`${field}.`) ? [`${name.slice(field.length + 1)}: ${text}`] : []
  })
  return words.length === 0 ? undefined : words.join(' ')
}
