import { Select, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { FormEnd } from '#ui/form-end.tsx'
import { showErrors } from '#ui/show-errors.ts'
import { headerLines, headersOf } from './headers.ts'
import type { Flow } from './flow-queries.ts'

export interface FlowBody {
  readonly name: string
  readonly direction: Flow['direction']
  readonly target: string | null
  readonly headers: Record<string, string>
}

interface FlowFormProps {
  readonly initial: FlowBody
  readonly isSaving: boolean
  readonly submit: string
  readonly save: (body: FlowBody, onError: (error: ApiError) => void) => void
}

const directions = ['outbound', 'inbound'] as const

/** What a flow is made of. Values of headers that are shown as ******** stay what they are. */
export const FlowForm = ({ initial, isSaving, submit, save }: FlowFormProps) => {
  const { t } = useTranslation('flows')
  const { name, direction, target } = initial
  const form = useForm({
    initialValues: { name, direction, target: target ?? '', headers: headerLines(initial.headers) },
    validate: { headers: (text) => (headersOf(text) === undefined ? t('header_rule') : null) },
  })
  const isOutbound = form.values.direction === 'outbound'
  const send = ({ headers, ...values }: typeof form.values): void => {
    const body = { ...values, target: isOutbound ? values.target : null, headers: isOutbound ? headersOf(headers) : {} }
    save({ ...body, headers: body.headers ?? {} }, showErrors(form))
  }
  return (
    <form className="stack" onSubmit={form.onSubmit(send)}>
      <TextInput label={t('field.name')} maxLength={100} {...form.getInputProps('name')} />
      <Select
        label={t('field.direction')}
        description={t(`direction_what.${form.values.direction}`)}
        allowDeselect={false}
        data={directions.map((value) => ({ value, label: t(`direction.${value}`) }))}
        {...form.getInputProps('direction')}
      />
      {isOutbound && (
        <>
          <TextInput
            label={t('field.target')}
            type="url"
            required
            placeholder="https://erp.example.com/orders"
            {...form.getInputProps('target')}
          />
          <Textarea
            label={t('field.headers')}
            description={t('headers_why')}
            autosize
            minRows={2}
            {...form.getInputProps('headers')}
          />
        </>
      )}
      <FormEnd form={form} submit={submit} loading={isSaving} />
    </form>
  )
}
