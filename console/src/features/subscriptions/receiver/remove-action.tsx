import { Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { useGo } from '#ui/go.ts'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import type { ReceiverHealth } from './sentence.ts'

interface RemoveActionProps {
  /** Whose words it speaks in: one unsubscribes a hook, and removes a webhook. */
  readonly kind: 'hook' | 'webhook'
  readonly health: ReceiverHealth
  /** Removes it, which settles when the server has answered. */
  readonly remove: () => Promise<unknown>
  readonly isPending: boolean
  /** The list that it is gone from. */
  readonly listPath: string
}

/** Removes a receiver, after saying what that ends. */
export const RemoveAction = ({ kind, health, remove, isPending, listPath }: RemoveActionProps) => {
  const { t } = useTranslation('subscriptions')
  const [isOpen, { open, close }] = useDisclosure()
  const go = useGo()
  const count = health.pending + health.waiting + health.held
  const run = async (): Promise<void> => {
    try {
      await remove()
      go.replace(listPath)
      toastDone(t(`remove.${kind}.done`))
    } catch (error) {
      toastFailed(error)
    }
  }
  return (
    <>
      <Action variant="subtle" onClick={open}>
        {t(`remove.${kind}.open`)}
      </Action>
      <Modal opened={isOpen} onClose={close} title={t(`remove.${kind}.title`)}>
        <div className="stack">
          <p>{t('remove.why', { count })}</p>
          <div className="flex wrap">
            <Action main loading={isPending} onClick={() => void run()}>
              {t(`remove.${kind}.submit`, { count })}
            </Action>
            <Action onClick={close}>{t('texts:cancel')}</Action>
          </div>
        </div>
      </Modal>
    </>
  )
}
