import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { Action } from './action.tsx'
import { CopyText } from './copy.tsx'
import classes from './states.module.css'

interface EmptyProps {
  readonly title: string
  readonly children?: ReactNode
  /** The one thing to do next. */
  readonly action?: ReactNode
}

/** Nothing is here yet: what this is good for, and one button. */
export const Empty = ({ title, children, action }: EmptyProps) => (
  <div className={classes['state']}>
    <h2>{title}</h2>
    {children !== undefined && <p className="muted">{children}</p>}
    {action}
  </div>
)

interface FailedProps {
  readonly error: ApiError
  readonly retry?: () => void
}

/** What happened when something could not be shown, by what the server said: forbidden, not there, no answer, or an error. */
export const Failed = ({ error, retry }: FailedProps) => {
  const { t } = useTranslation('texts')
  const kind = { 0: 'offline', 401: 'logged_out', 403: 'forbidden', 404: 'not_found' }[error.status] ?? 'failed'
  return (
    <div className={classes['state']} role="alert">
      <h2>{t(`state.${kind}`)}</h2>
      <p className="muted">{kind === 'offline' ? t('state.offline_why') : error.message}</p>
      {error.requestId !== undefined && (
        <p className="small muted">
          {t('state.request')} <code>{error.requestId}</code> <CopyText text={error.requestId} />
        </p>
      )}
      {retry !== undefined && kind !== 'forbidden' && <Action onClick={retry}>{t('retry')}</Action>}
    </div>
  )
}

/** A place held for text that is being fetched, in the size that the text will have. */
export const Skeleton = ({ lines = 1, width = '60%' }: { readonly lines?: number; readonly width?: string }) => (
  <div aria-hidden="true" data-skeleton className={classes['skeleton']} style={{ width }}>
    {Array.from({ length: lines }, (_, line) => (
      <div key={line} />
    ))}
  </div>
)
