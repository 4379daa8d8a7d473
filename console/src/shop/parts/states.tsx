import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { Button } from './button.tsx'
import classes from './parts.module.css'

interface EmptyProps {
  readonly title: string
  readonly children?: ReactNode
  /** The one thing to do next. */
  readonly action?: ReactNode
}

/** Nothing is here: what this is good for, and one thing to do. */
export const Empty = ({ title, children, action }: EmptyProps) => (
  <div className={classes['state']}>
    <h2>{title}</h2>
    {children !== undefined && <p className="muted">{children}</p>}
    {action}
  </div>
)

/** What happened when something could not be shown. */
export const Failed = ({ error, retry }: { readonly error: ApiError; readonly retry?: () => void }) => {
  const { t } = useTranslation('shop')
  const kind = { 0: 'offline', 403: 'forbidden', 404: 'not_found' }[error.status] ?? 'failed'
  return (
    <div className={classes['state']} role="alert">
      <h2>{t(`failed.${kind}`)}</h2>
      <p className="muted">{kind === 'failed' ? error.message : t(`failed.${kind}_why`)}</p>
      {error.requestId !== undefined && kind === 'failed' && (
        <p className="small muted">{t('failed.request', { id: error.requestId })}</p>
      )}
      {retry !== undefined && kind !== 'forbidden' && <Button onClick={retry}>{t('again')}</Button>}
    </div>
  )
}

/** The places of rows that are being fetched. */
export const Skeleton = ({ rows = 4 }: { readonly rows?: number }) => (
  <div aria-hidden="true" data-skeleton className={classes['skeleton']}>
    {Array.from({ length: rows }, (_, row) => (
      <div key={row} />
    ))}
  </div>
)

export type Outcome = 'ok' | 'bad' | 'wait' | 'idle'

/** A word for how something stands. */
export const Tag = ({ outcome = 'idle', children }: { readonly outcome?: Outcome; readonly children: ReactNode }) => (
  <span className={classes['tag']} data-outcome={outcome}>
    {children}
  </span>
)

interface NoticeProps {
  readonly outcome?: Outcome
  readonly title: string
  readonly children?: ReactNode
}

/** Something that its reader has to know; it is read out when it appears. */
export const Notice = ({ outcome = 'wait', title, children }: NoticeProps) => (
  <div className={classes['notice']} data-outcome={outcome} role="status">
    <p className="strong">{title}</p>
    {children}
  </div>
)

/** What a write was refused with, for what no field is about. */
export const Refused = ({ error }: { readonly error: ApiError | null }) => {
  const { t } = useTranslation('shop')
  if (error === null) return null
  return (
    <p role="alert" className="text-bad">
      {error.status === 0 ? t('not_sent') : error.message}
    </p>
  )
}

interface LoadedProps<Data> {
  readonly query: {
    readonly data: Data | undefined
    readonly error: ApiError | null
    readonly refetch: () => unknown
  }
  /** How many places are held while it is fetched. */
  readonly rows?: number
  readonly children: (data: Data) => ReactNode
}

/** What was fetched; while it is not there its places, or why it cannot be shown. */
export const Loaded = <Data,>({ query: { data, error, refetch }, rows = 4, children }: LoadedProps<Data>) => {
  if (data !== undefined) return children(data)
  return error === null ? <Skeleton rows={rows} /> : <Failed error={error} retry={() => void refetch()} />
}
