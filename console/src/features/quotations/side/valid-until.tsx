import { TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { fromLocalTime, toLocalTime } from '#ui/local-time.ts'
import { Time } from '#ui/time.tsx'
import { toastDone } from '#ui/toast.tsx'
import { useDraftHere } from '../draft/use-draft.ts'
import { versionOf } from '../quotation.ts'
import { useToldStale } from '../use-told-stale.ts'
import classes from '../workspace.module.css'

/** Until when the offer holds, and how to give more time. */
export const ValidUntil = () => {
  const { t } = useTranslation('quotations')
  const { quotation } = useDraftHere()
  const { expires_at: expires, allowed_actions: allowed } = quotation
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <section className="card">
      <div className={`head ${classes['alone']}`}>
        <h2>{t('valid.title')}</h2>
        <span className="flex">
          {expires === null ? <span className="muted">{t('valid.never')}</span> : <Time at={expires} as="date" />}
          {allowed.includes('assign') && !isOpen && (
            <button type="button" className={classes['quiet']} aria-label={t('valid.change_label')} onClick={open}>
              {t('change')}
            </button>
          )}
        </span>
      </div>
      {isOpen && <MoreTime close={close} />}
    </section>
  )
}

const MoreTime = ({ close }: { readonly close: () => void }) => {
  const { t } = useTranslation('quotations')
  const { quotation } = useDraftHere()
  const { id, expires_at: expires } = quotation
  const [text, setText] = useState(expires === null ? '' : toLocalTime(expires).slice(0, 16))
  const sending = useSend('patch', '/api/v1/quotations/{id}')
  const toldStale = useToldStale()
  const done = (): void => {
    close()
    toastDone(t('valid.done'))
  }
  return (
    <form
      className="body stack"
      onSubmit={(event) => {
        event.preventDefault()
        sending.mutate(
          { path: { id }, ifMatch: versionOf(quotation), body: { expires_at: fromLocalTime(text) ?? null } },
          { onSuccess: done, onError: toldStale },
        )
      }}
    >
      <TextInput
        type="datetime-local"
        label={t('valid.until')}
        description={t('valid.hint')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className="flex">
        <Action type="submit" loading={sending.isPending}>
          {t('valid.save')}
        </Action>
        <Action variant="subtle" onClick={close}>
          {t('cancel')}
        </Action>
      </div>
    </form>
  )
}
