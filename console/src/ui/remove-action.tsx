import { Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { Action } from './action.tsx'
import { useGo } from './go.ts'
import { toastDone, toastFailed } from './toast.tsx'

interface RemoveActionProps {
  readonly words: Readonly<Record<'open' | 'title' | 'why' | 'submit' | 'done', string>>
  /** Removes it, which settles when the server has answered. */
  readonly remove: () => Promise<unknown>
  readonly isPending: boolean
  /** The list that it is gone from, where what is removed has the screen. */
  readonly goTo?: string
  readonly variant?: 'subtle'
}

/** Removes something for good, after saying what that ends. */
export const RemoveAction = ({ words, remove, isPending, goTo, variant }: RemoveActionProps) => {
  const { t } = useTranslation('texts')
  const [isOpen, { open, close }] = useDisclosure()
  const go = useGo()
  const run = async (): Promise<void> => {
    try {
      await remove()
      if (goTo === undefined) close()
      else go.replace(goTo)
      toastDone(words.done)
    } catch (error) {
      toastFailed(error)
    }
  }
  return (
    <>
      <Action {...(variant && { variant })} onClick={open}>
        {words.open}
      </Action>
      <Modal opened={isOpen} onClose={close} title={words.title}>
        <div className="stack">
          <p>{words.why}</p>
          <div className="flex wrap">
            <Action main loading={isPending} onClick={() => void run()}>
              {words.submit}
            </Action>
            <Action onClick={close}>{t('cancel')}</Action>
          </div>
        </div>
      </Modal>
    </>
  )
}
