import { Modal, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { useNow } from '#ui/now.ts'
import { formatMoment } from '#ui/texts/format.ts'
import { toastFailed } from '#ui/toast.tsx'

interface RotateDialogProps {
  readonly rotate: (overlapHours: number) => Promise<unknown>
  readonly close: () => void
}

const usualHours = 24
const mostHours = 168
const hourMs = 3_600_000

/** Says until when the old secret signs before another one is made. */
export const RotateDialog = ({ rotate, close }: RotateDialogProps) => {
  const { t } = useTranslation(['subscriptions', 'texts'])
  const [hours, setHours] = useState(usualHours)
  const [isPending, setPending] = useState(false)
  const until = new Date(useNow().getTime() + hours * hourMs)
  const run = async (): Promise<void> => {
    setPending(true)
    try {
      await rotate(hours)
      close()
    } catch (error) {
      toastFailed(error)
    }
    setPending(false)
  }
  return (
    <Modal opened onClose={close} title={t('secret.rotate_title')}>
      <div className="stack">
        <p>{t('secret.rotate_why')}</p>
        <NumberInput
          label={t('secret.overlap')}
          w={180}
          min={0}
          max={mostHours}
          clampBehavior="strict"
          allowDecimal={false}
          value={hours}
          onChange={(next) => setHours(next === '' ? usualHours : Number(next))}
        />
        <p aria-live="polite">
          {hours === 0 ? t('secret.old_ends') : t('secret.old_until', { at: formatMoment(until) })}
        </p>
        <div className="flex wrap">
          <Action main loading={isPending} onClick={() => void run()}>
            {t('secret.rotate_do')}
          </Action>
          <Action onClick={close}>{t('texts:cancel')}</Action>
        </div>
      </div>
    </Modal>
  )
}
