import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { Progress } from '#ui/progress.tsx'
import type { Each } from '#ui/use-each.ts'
import type { Row } from './each-quotation.ts'
import { Endings } from './endings.tsx'

interface SomeDialogProps {
  readonly title: string
  /** What was done to how many, such as "11 rejected". */
  readonly doneText: (count: number) => string
  readonly each: Each<Row>
  readonly close: () => void
  /** The question, with the button that begins. */
  readonly children: ReactNode
}

/** Asks before something is done to several quotations, shows how far it is, and says in the end what became of each. */
export const SomeDialog = ({ title, doneText, each, close, children }: SomeDialogProps) => {
  const { state } = each
  const isRunning = state?.isRunning === true
  return (
    <Modal
      opened
      onClose={isRunning ? each.cancel : close}
      title={title}
      closeOnClickOutside={!isRunning}
      withCloseButton={!isRunning}
    >
      {state === undefined ? children : <Going state={state} doneText={doneText} cancel={each.cancel} close={close} />}
    </Modal>
  )
}

interface GoingProps extends Pick<SomeDialogProps, 'doneText' | 'close'> {
  readonly state: NonNullable<Each<Row>['state']>
  readonly cancel: () => void
}

const Going = ({ state: { told, total, isRunning }, doneText, cancel, close }: GoingProps) => {
  const { t } = useTranslation('bulk')
  return (
    <div className="stack">
      {isRunning ? (
        <>
          <p role="status">{t('progress', { done: told.length, count: total })}</p>
          <Progress label={t('progress_of')} value={told.length} max={total} />
        </>
      ) : (
        <Endings told={told} left={total - told.length} doneText={doneText} />
      )}
      <div>
        {isRunning ? (
          <Action onClick={cancel}>{t('cancel')}</Action>
        ) : (
          <Action main data-autofocus onClick={close}>
            {t('close')}
          </Action>
        )}
      </div>
    </div>
  )
}
