import { Modal } from '@mantine/core'
import { useBlocker, useMatch, useRouter } from '@tanstack/react-router'
import { useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Action } from './action.tsx'

interface UnsavedProps {
  /** How many fields somebody has changed; nothing is asked while it is 0. */
  readonly changes: number
}

/**
 * Stands in a form, and asks before what was changed in it is lost: by a link, Esc, the way back, or a reload, where the
 * browser asks in its own words. `useGo().replace`, which follows a save, goes without a question.
 */
export const Unsaved = ({ changes }: UnsavedProps) => {
  const keepsForm = useKeepsForm()
  const before = useRef<Element>(null)
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) => {
      // Whoever goes away may move the focus as well, as a drawer does that closes.
      before.current = document.activeElement
      return !keepsForm(next)
    },
    enableBeforeUnload: true,
    disabled: changes === 0,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  const keep = (): void => {
    blocker.reset()
    focus(before.current)
  }
  return <Question changes={changes} keep={keep} discard={blocker.proceed} />
}

/** Whether the form is still on the screen at another address: with other filters, or a drawer beside it. */
const useKeepsForm = () => {
  const router = useRouter()
  const { id } = useMatch({ strict: false })
  return ({ pathname, search }: { readonly pathname: string; readonly search: object }): boolean =>
    router.matchRoutes(pathname, search).some((match) => match.id === id)
}

interface FormDialogProps extends UnsavedProps {
  readonly title: string
  readonly close: () => void
  readonly size?: 'lg'
  readonly children: ReactNode
}

/** A dialog with a form of several fields, which asks before what was changed in them is lost. */
export const FormDialog = ({ changes, title, close, size, children }: FormDialogProps) => {
  const [field, ask] = useState<Element | null>()
  const isAsking = field !== undefined
  const keep = (): void => {
    ask(undefined)
    focus(field ?? null)
  }
  return (
    <Modal
      opened
      onClose={() => (changes === 0 ? close() : ask(document.activeElement))}
      title={title}
      closeOnEscape={!isAsking}
      {...(size !== undefined && { size })}
    >
      {children}
      <Unsaved changes={changes} />
      {isAsking && <Question changes={changes} keep={keep} discard={close} />}
    </Modal>
  )
}

interface QuestionProps extends UnsavedProps {
  readonly keep: () => void
  readonly discard: () => void
}

const Question = ({ changes, keep, discard }: QuestionProps) => {
  const { t } = useTranslation('texts')
  const [after] = useState(() => document.activeElement)
  return (
    <Modal opened onClose={keep} title={t('form.leave')}>
      <div className="stack">
        <p>{t('form.lost', { count: changes })}</p>
        <div className="flex">
          <Action main data-autofocus onClick={keep}>
            {t('form.keep')}
          </Action>
          <Action
            onClick={() => {
              discard()
              focus(after)
            }}
          >
            {t('form.discard')}
          </Action>
        </div>
      </div>
    </Modal>
  )
}

const focus = (element: Element | null): void => {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true })
}
