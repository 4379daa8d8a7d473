import { useTranslation } from 'react-i18next'
import { RemoveAction } from '#ui/remove-action.tsx'
import type { ReceiverHealth } from './sentence.ts'

interface RemoveReceiverProps {
  /** Whose words it speaks in: one unsubscribes a hook, and removes a webhook. */
  readonly kind: 'hook' | 'webhook'
  readonly health: ReceiverHealth
  readonly remove: () => Promise<unknown>
  readonly isPending: boolean
  readonly listPath: string
}

/** Removes a receiver, after saying how many deliveries that stops. */
export const RemoveReceiver = ({ kind, health, remove, isPending, listPath }: RemoveReceiverProps) => {
  const { t } = useTranslation('subscriptions')
  const count = health.pending + health.waiting + health.held
  const words = {
    open: t(`remove.${kind}.open`),
    title: t(`remove.${kind}.title`),
    why: t('remove.why', { count }),
    submit: t(`remove.${kind}.submit`, { count }),
    done: t(`remove.${kind}.done`),
  }
  return <RemoveAction words={words} remove={remove} isPending={isPending} goTo={listPath} variant="subtle" />
}
