import { NumberInput, Popover, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { offerUndo } from './undo.ts'

type Report = Schema<'ErrorReport'>

/** Another error code, so that the report is grouped with others. */
export const ChangeCode = ({ report: { id, error_code: before } }: { readonly report: Report }) => {
  const { t } = useTranslation('error-reports')
  const change = useSend('patch', '/api/v1/error_reports/{id}/update_error_code')
  const [code, setCode] = useState(before)
  const send = (next: string) => change.mutateAsync({ path: { id }, body: { error_code: next } })
  const undo = (): void => void send(before).then(() => void toastDone(t('as_before')), toastFailed)
  return (
    <Editor
      text={t('change_code')}
      off={code.trim() === '' || code === before ? t('off.same') : undefined}
      isPending={change.isPending}
      save={() => void send(code.trim()).then(() => offerUndo(t('code_changed'), undo), toastFailed)}
    >
      <TextInput
        label={t('code')}
        value={code}
        maxLength={128}
        onChange={(event) => setCode(event.currentTarget.value)}
        data-autofocus
      />
    </Editor>
  )
}

/** Another object, where the report named the wrong one. */
export const ChangeObject = ({ report: { id, action_object_id: before } }: { readonly report: Report }) => {
  const { t } = useTranslation('error-reports')
  const change = useSend('patch', '/api/v1/error_reports/{id}/update_action_object_id')
  const [object, setObject] = useState<number | string>(before)
  const send = (next: number) => change.mutateAsync({ path: { id }, body: { action_object_id: next } })
  const undo = (): void => void send(before).then(() => void toastDone(t('as_before')), toastFailed)
  return (
    <Editor
      text={t('change_object')}
      off={typeof object !== 'number' || object === before ? t('off.same') : undefined}
      isPending={change.isPending}
      save={() => void send(Number(object)).then(() => offerUndo(t('object_was_changed'), undo), toastFailed)}
    >
      <NumberInput
        label={t('object_id')}
        value={object}
        min={1}
        allowDecimal={false}
        hideControls
        onChange={setObject}
        data-autofocus
      />
    </Editor>
  )
}

interface EditorProps {
  readonly text: string
  readonly off: string | undefined
  readonly isPending: boolean
  readonly save: () => void
  readonly children: ReactNode
}

const Editor = ({ text, off, isPending, save, children }: EditorProps) => {
  const { t } = useTranslation('texts')
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus position="bottom-start">
      <Popover.Target>
        <Action variant="subtle" onClick={() => setOpen(!isOpen)}>
          {text}
        </Action>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault()
            setOpen(false)
            save()
          }}
        >
          {children}
          <Action type="submit" main off={off} loading={isPending}>
            {t('save')}
          </Action>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
