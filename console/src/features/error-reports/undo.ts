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

/** Says that something was done that cannot be taken back; `u` then says so, instead of taking back what was done before it. */
export const sayFinal = (text: string, why: string): void => {
  toastDone(text)
  last = () => void toastDone(why)
}

/** `u` takes back what was done last. */
export const useUndoKey = (): void => {
  const { t } = useTranslation('error-reports')
  useShortcut('u', 'error-reports:keys.undo', () => (last === undefined ? toastDone(t('nothing_to_undo')) : last()))
}
