import type { TFunction } from 'i18next'
import type { RowOf } from '#api/types.ts'
import { Link } from '#ui/link.tsx'
import { choiceFilter } from '#ui/list/filters.ts'
import type { Column } from '#ui/list/list-table.tsx'
import type { ListDefinition } from '#ui/list/use-list.ts'
import { Progress } from '#ui/progress.tsx'
import { Status, type Outcome } from '#ui/status.tsx'
import { formatBytes, formatDay, formatHour, formatNumber } from '#ui/texts/format.ts'
import { Time } from '#ui/time.tsx'
import { Again } from './again.tsx'
import classes from './exports.module.css'

type Export = RowOf<'/api/v1/exports'>

const outcomes: Readonly<Record<Export['status'], Outcome>> = {
  waiting: 'idle',
  processing: 'wait',
  completed: 'ok',
  failed: 'bad',
}

export const exportList: ListDefinition<'/api/v1/exports'> = {
  path: '/api/v1/exports',
  texts: 'exports',
  filters: [
    choiceFilter('status', Object.keys(outcomes)),
    { name: 'created_at', label: 'field.created_at', kind: 'time' },
  ],
}

export const columns: readonly Column<Export>[] = [
  {
    name: 'what',
    title: 'field.what',
    render: ({ quotation, format }, t) => (
      <>
        {quotation === null ? (
          t('what.quotations')
        ) : (
          <>
            {t('what.items')} <Link to={`/quotations/${quotation.id}`}>{quotation.number}</Link>
          </>
        )}{' '}
        <span className="muted">{format}</span>
      </>
    ),
  },
  { name: 'status', title: 'field.status', render: (made, t) => <State made={made} t={t} /> },
  { name: 'rows', title: 'field.rows', isWide: true, render: (made, t) => <Rows made={made} t={t} /> },
  {
    name: 'bytes',
    title: 'field.bytes',
    isNumber: true,
    isWide: true,
    render: ({ bytes }) => (bytes === null ? <span className="muted">–</span> : formatBytes(bytes)),
  },
  { name: 'created_at', title: 'field.created_at', isWide: true, render: ({ created_at: at }) => <Time at={at} /> },
  { name: 'file', title: 'field.file', render: (made, t) => <File made={made} t={t} /> },
  { name: 'again', title: 'field.again', render: (made) => <Again made={made} /> },
]

interface CellProps {
  readonly made: Export
  readonly t: TFunction
}

/** How an export ended, and in words why when it failed. */
const State = ({ made: { status, error }, t }: CellProps) => (
  <>
    <Status outcome={outcomes[status]}>{t(`status.${status}`)}</Status>
    {error !== null && <div className={classes['error']}>{error}</div>}
  </>
)

/** Rows so far, of how many. */
const Rows = ({ made: { status, rows_done: done, rows_total: total }, t }: CellProps) => {
  if (status === 'completed') return formatNumber(done)
  if (status === 'waiting') return <span className="muted">–</span>
  return (
    <span className={classes['rows']}>
      <Progress
        label={t('field.rows')}
        value={done}
        max={total ?? undefined}
        {...(status === 'failed' && { outcome: 'bad' as const })}
      />
      {total === null ? t('rows_so_far', { count: done }) : t('rows_of', { done, count: total })}
    </span>
  )
}

/** The file while it can be fetched. */
const File = ({ made: { url, expires_at: expires, format }, t }: CellProps) => {
  if (url === '') return <span className="muted">–</span>
  const at = new Date(expires)
  return (
    <>
      <a href={url} download>
        {t('fetch', { format })}
      </a>{' '}
      <span className="muted small wide">{t('until', { day: formatDay(at), hour: formatHour(at) })}</span>
    </>
  )
}
