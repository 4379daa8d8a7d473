import { Checkbox, NumberInput, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { FocusEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldKind, FieldValues } from './field-groups.ts'

interface FieldInputProps {
  readonly form: UseFormReturnType<FieldValues>
  readonly name: string
  readonly kind: FieldKind
}

/** What is stored is not shown, so that it is replaced as a whole. */
const selectAll = ({ currentTarget }: FocusEvent<HTMLInputElement | HTMLTextAreaElement>): void =>
  currentTarget.select()

/** A field of a group, as its kind wants it written. */
export const FieldInput = ({ form, name, kind }: FieldInputProps) => {
  const { t } = useTranslation('projects')
  const input = { label: t(`setup.field.${name}`), ...form.getInputProps(name) }
  switch (kind) {
    case 'flag':
      return <Checkbox label={input.label} {...form.getInputProps(name, { type: 'checkbox' })} />
    case 'number':
      return <NumberInput hideControls {...input} />
    case 'secret':
      return <TextInput type="password" autoComplete="new-password" maxLength={2_048} onFocus={selectAll} {...input} />
    case 'secret_file':
      return <Textarea autosize minRows={2} maxRows={8} spellCheck={false} onFocus={selectAll} {...input} />
    case 'time':
      return <TextInput type="datetime-local" step={1} {...input} />
    case 'url':
    case 'text':
      return <TextInput type={kind} autoComplete="off" spellCheck={false} maxLength={2_048} {...input} />
  }
}
