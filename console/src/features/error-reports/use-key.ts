import { useShortcut } from '#ui/shortcuts.ts'
import { toastDone } from '#ui/toast.tsx'

/** A key for what a button does; while that is not allowed, the key says why. @param off the reason */
export const useKey = (keys: string, text: string, off: string | undefined, run: () => void): void =>
  useShortcut(keys, text, off === undefined ? run : () => void toastDone(off))
