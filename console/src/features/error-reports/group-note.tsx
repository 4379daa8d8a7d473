import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { Unsaved } from '#ui/unsaved.tsx'
import { useChangeGroup } from './changes.ts'

/** What is known of the cause, for whoever comes next. */
export const GroupNote = ({ group: { id, note } }: { readonly group: Schema<'ErrorReportGroup'> }) => {
  const { t } = useTranslation('error-reports')
  const { t: common } = useTranslation('texts')
  const [draft, setDraft] = useState<string>()
  const { change, isPending } = useChangeGroup(id)
  if (draft === undefined)
    return (
      <p>
        {note !== '' && <span style={{ whiteSpace: 'pre-line' }}>{note} </span>}
        <Action variant="subtle" onClick={() => setDraft(note)}>
          {t(note === '' ? 'note.add' : 'note.change')}
        </Action>
      </p>
    )
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        change({ note: draft.trim() }, { note }, t('note.kept'))
      }}
    >
      <Textarea
        label={t('note.label')}
        autosize
        minRows={2}
        maxRows={12}
        maxLength={10_000}
        value={draft}
        onChange={(event) => setDraft(event.currentTarget.value)}
        data-autofocus
      />
      <div className="flex">
        <Action type="submit" main loading={isPending} off={draft.trim() === note ? t('note.same') : undefined}>
          {common('save')}
        </Action>
        <Action onClick={() => setDraft(undefined)}>{common('cancel')}</Action>
      </div>
      <Unsaved changes={draft.trim() === note ? 0 : 1} />
    </form>
  )
}
