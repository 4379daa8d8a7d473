import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { useEach } from '#ui/use-each.ts'
import { reject, type Row } from './each-quotation.ts'
import { SomeDialog } from './some-dialog.tsx'

interface RejectSomeProps {
  readonly rows: readonly Row[]
  readonly close: () => void
}

/** Rejects several quotations with one reason, those alone that are as the list shows them. */
export const RejectSome = ({ rows, close }: RejectSomeProps) => {
  const { t } = useTranslation('bulk')
  const each = useEach<Row>()
  const [reason, setReason] = useState('')
  const count = rows.length
  return (
    <SomeDialog
      title={t('reject.title', { count })}
      doneText={(done) => t('reject.done', { count: done })}
      each={each}
      close={close}
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          each.start(rows, (row) => reject(row, reason.trim()))
        }}
      >
        <Textarea
          label={t('reject.reason')}
          description={t('reject.reason_why')}
          autosize
          minRows={3}
          maxRows={10}
          maxLength={2000}
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <p className="muted">{t('only_as_shown')}</p>
        <div>
          <Action main type="submit">
            {t('reject.submit', { count })}
          </Action>
        </div>
      </form>
    </SomeDialog>
  )
}
