import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'

interface SwitchActionProps {
  readonly isActive: boolean
  /** Switches it, which settles when the server has answered. */
  readonly set: (isActive: boolean) => Promise<unknown>
  readonly isPending: boolean
}

/** Switches a receiver on, or pauses it; either can be undone. */
export const SwitchAction = ({ isActive, set, isPending }: SwitchActionProps) => {
  const { t } = useTranslation('subscriptions')
  const run = async (next: boolean, undo: boolean): Promise<void> => {
    try {
      await set(next)
      toastDone(t(next ? 'switch.is_on' : 'switch.is_off'), undo ? () => void run(!next, false) : undefined)
    } catch (error) {
      toastFailed(error)
    }
  }
  return (
    <Action main={!isActive} loading={isPending} onClick={() => void run(!isActive, true)}>
      {t(isActive ? 'switch.off' : 'switch.on')}
    </Action>
  )
}
