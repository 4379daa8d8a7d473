import { Progress } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import type { RowOf } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { Link } from '#ui/link.tsx'
import { isActive } from '#ui/list/filters.ts'
import { useDescribe } from '#ui/list/use-describe.ts'
import type { Column } from '#ui/list/list-table.tsx'
import { ListView } from '#ui/list/list-view.tsx'
import { queryOf, useList, type ListDefinition } from '#ui/list/use-list.ts'
import { Page } from '#ui/page.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Empty } from '#ui/states.tsx'
import { Status } from '#ui/status.tsx'
import { formatNumber } from '#ui/texts/format.ts'
import { Time } from '#ui/time.tsx'
import { toastFailed } from '#ui/toast.tsx'
import { deliveries } from '../delivery-list.tsx'

type Job = RowOf<'/whisperer/redeliveries'>

const redeliveries: ListDefinition<'/whisperer/redeliveries'> = {
  path: '/whisperer/redeliveries',
  texts: 'deliveries',
  filters: [{ name: 'created_date', label: 'field.time', kind: 'time' }],
}

const outcomes = { running: 'wait', done: 'ok', cancelled: 'idle' } as const

const columns: readonly Column<Job>[] = [
  { name: 'time', title: 'field.time', render: ({ created_date: at }) => <Time at={at} /> },
  {
    name: 'status',
    title: 'field.status',
    render: ({ status }, t) => <Status outcome={outcomes[status]}>{t(`job.state.${status}`)}</Status>,
  },
  { name: 'what', title: 'job.what', render: (job) => <What job={job} /> },
  {
    name: 'progress',
    title: 'job.progress',
    width: 160,
    isWide: true,
    render: ({ queued, total, status }, t) => (
      <Progress
        value={status === 'done' ? 100 : (queued / Math.max(1, total)) * 100}
        color={status === 'cancelled' ? 'wait' : 'accent'}
        aria-label={t('job.progress')}
      />
    ),
  },
  {
    name: 'queued',
    title: 'job.queued',
    isNumber: true,
    render: ({ queued, total, total_is_exact: isExact }) =>
      `${formatNumber(queued)} / ${formatNumber(total)}${isExact ? '' : '+'}`,
  },
  {
    name: 'pace',
    title: 'bulk.pace',
    isNumber: true,
    isWide: true,
    render: ({ per_second: pace }) => formatNumber(pace),
  },
  { name: 'cancel', title: 'job.actions', render: (job) => <Cancel job={job} /> },
]

/** What was asked for; a retry leads to the log with its filter. */
const What = ({ job: { kind, hook, asked } }: { readonly job: Job }) => {
  const { t } = useTranslation('deliveries')
  const filter = Object.entries((asked['filter'] ?? {}) as Record<string, unknown>)
  const search = Object.fromEntries(filter.map(([name, value]) => [name, String(value)]))
  const describe = useDescribe({ ...deliveries, search })
  if (kind === 'recover')
    return (
      <>
        <Link to={`/hooks/${hook}`}>{t('job.recover', { hook })}</Link>{' '}
        {typeof asked['since'] === 'string' && <Time at={asked['since']} as="moment" />}
      </>
    )
  const words = deliveries.filters
    .filter((one) => isActive(one, search))
    .map((one) => `${t(one.label)} ${describe(one)}`)
    .join(', ')
  return (
    <>
      {t('job.retry')}{' '}
      <Link to={`/deliveries?${new URLSearchParams(search)}`}>{words === '' ? t('job.everything') : words}</Link>
    </>
  )
}

const Cancel = ({ job: { id, status } }: { readonly job: Job }) => {
  const { t } = useTranslation('deliveries')
  const cancel = useSend('post', '/whisperer/redeliveries/{id}/cancel')
  if (status !== 'running') return <span className="muted">–</span>
  return (
    <Action loading={cancel.isPending} onClick={() => cancel.mutate({ path: { id } }, { onError: toastFailed })}>
      {t('job.cancel')}
    </Action>
  )
}

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(redeliveries, search)]

/** Jobs that send much again, those that run and those that have ended. */
export const RedeliveriesScreen = () => {
  const { t } = useTranslation('deliveries')
  const list = useList(redeliveries)
  return (
    <Page
      title={t('job.title')}
      about={t('job.about')}
      request={list.request}
      actions={<Link to="/deliveries">{t('title')}</Link>}
    >
      <ListView list={list} columns={columns} empty={<Empty title={t('job.empty')}>{t('job.empty_why')}</Empty>} />
    </Page>
  )
}
