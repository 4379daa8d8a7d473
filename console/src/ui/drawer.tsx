import { CloseButton } from '@mantine/core'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { useRowKeys } from './list/use-row-keys.ts'
import { PageTitle } from './page-title.tsx'
import { useShortcut } from './shortcuts.ts'
import { Failed, Skeleton } from './states.tsx'
import classes from './drawer.module.css'

interface DrawerProps {
  /** The page below, where closing leads; its query stays. */
  readonly closeTo: string
  /** Stands small above the title: ids. */
  readonly ident?: ReactNode
  /** The first line: a sentence. Undefined while it is being fetched. */
  readonly title: string | undefined
  readonly about?: ReactNode
  readonly actions?: ReactNode
  readonly error?: ApiError | null
  readonly children?: ReactNode
  /** Wider than usual, for what is compared side by side. */
  readonly isWide?: boolean
  /** Something new: there are no rows to walk. */
  readonly isNew?: boolean
}

/**
 * The details of a row, beside its list and with an address of their own; the whole screen on a phone. `Esc` closes it and
 * gives the focus back to the row.
 */
export const Drawer = ({
  closeTo,
  ident,
  title,
  about,
  actions,
  error = null,
  children,
  isWide,
  isNew,
}: DrawerProps) => {
  const { t } = useTranslation('texts')
  const navigate = useNavigate()
  const box = useRef<HTMLElement>(null)
  const path = useRouterState({ select: (state) => state.location.pathname })
  const close = (): void => {
    void navigate({ to: closeTo, search: true })
    document.querySelector<HTMLElement>(`[data-row-link="${CSS.escape(path)}"]`)?.focus()
  }
  useShortcut('Escape', 'shell:keys.close', close)
  useEffect(() => {
    // On its way out it is still here for a moment, and the focus is at the row already.
    if (path !== closeTo) box.current?.focus({ preventScroll: true })
  }, [path, closeTo])
  return (
    <aside
      className={classes['drawer']}
      data-wide={isWide || undefined}
      ref={box}
      tabIndex={-1}
      aria-label={title ?? t('list.loading')}
    >
      <Bar ident={ident} close={close} isNew={isNew} />
      {title === undefined && error !== null && <Failed error={error} />}
      {title === undefined && error === null && <Skeleton lines={14} width="100%" />}
      {title !== undefined && (
        <>
          <div>
            <PageTitle isBeside>{title}</PageTitle>
            {about !== undefined && <p className="muted">{about}</p>}
          </div>
          {actions !== undefined && <div className="flex wrap">{actions}</div>}
          {children}
        </>
      )}
    </aside>
  )
}

interface BarProps extends Pick<DrawerProps, 'ident'> {
  readonly close: () => void
  readonly isNew: boolean | undefined
}

/** What it is, the rows before and after it, and how to close it. */
const Bar = ({ ident, close, isNew }: BarProps) => {
  const { t } = useTranslation('texts')
  const { step } = useRowKeys()
  return (
    <div className="flex between">
      <div className="grow small muted cut">{ident}</div>
      <span className="flex">
        {isNew !== true && (
          <>
            <button
              type="button"
              className={classes['step']}
              aria-label={t('drawer.previous')}
              onClick={() => step(-1)}
            >
              ‹
            </button>
            <button type="button" className={classes['step']} aria-label={t('drawer.next')} onClick={() => step(1)}>
              ›
            </button>
          </>
        )}
        <CloseButton aria-label={t('drawer.close')} onClick={close} />
      </span>
    </div>
  )
}
