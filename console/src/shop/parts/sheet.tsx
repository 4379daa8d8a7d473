import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import classes from './parts.module.css'

interface SheetProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog over the page, which comes from below on a phone. The browser keeps the focus in it, and gives it back. */
export const Sheet = ({ title, onClose, children }: SheetProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  // Before it is painted; and closed before it is taken out of the page, or the focus would be nowhere.
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => current?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={classes['sheet']}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div className="stack">
        <h2 id={heading}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}

interface SheetEndsProps {
  readonly onClose: () => void
  /** The button that does it. */
  readonly children: ReactNode
}

/** The way back and the way on, at the end of a sheet. */
export const SheetEnds = ({ onClose, children }: SheetEndsProps) => {
  const { t } = useTranslation('shop')
  return (
    <div className={classes['ends']}>
      <Button onClick={onClose}>{t('back')}</Button>
      {children}
    </div>
  )
}
