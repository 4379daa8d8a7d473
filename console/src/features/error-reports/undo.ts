import { useTranslation } from 'react-i18next'
import { useShortcut } from '#ui/shortcuts.ts'
import { toastDone } from '#ui/toast.tsx'

/** What was done last and can be taken back; it outlives the group that it was done to. */
let last: (() => void) | undefined

/** Says that something was done, and takes it back by the button of the message or by `u`. */
export const offerUndo = (text: string, undo: () => void): void => {
  const run = (): void => {
    if (last === run) last = undefined
    hide()
    undo()
  }
  const hide = toastDone(text, run)
  last = run
}

/** `u` takes back what was done last. */
export const useUndoKey = (): void => {
  const { t } = useTranslation('error-reports')
  useShortcut('u', 'error-reports:keys.undo', () => (last === undefined ? toastDone(t('nothing_to_undo')) : last()))
}
