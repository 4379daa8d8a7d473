import { Progress } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { recordOf, useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { Link } from '#ui/link.tsx'
import { Failed, Skeleton } from '#ui/states.tsx'
import { formatNumber } from '#ui/texts/format.ts'
import { toastFailed } from '#ui/toast.tsx'

const everyMs = 1_000

/** How far a redelivery is, and how to stop it. */
export const RedeliveryProgress = ({ id }: { readonly id: number }) => {
  const { t } = useTranslation('deliveries')
  const { data: job, error } = useQuery({
    ...recordOf('/whisperer/redeliveries/{id}', { path: { id } }),
    refetchInterval: ({ state }) => (state.data === undefined || state.data.status === 'running' ? everyMs : false),
  })
  const cancel = useSend('post', '/whisperer/redeliveries/{id}/cancel')
  if (error !== null && job === undefined) return <Failed error={error} />
  if (job === undefined) return <Skeleton lines={3} width="100%" />
  const { status, queued, total } = job
  const text = { queued: formatNumber(queued), total: `${formatNumber(total)}${job.total_is_exact ? '' : '+'}` }
  return (
    <div className="stack">
      <p aria-live="polite">{t(`job.${status}`, text)}</p>
      <Progress
        value={status === 'done' ? 100 : (queued / Math.max(1, total)) * 100}
        color={status === 'cancelled' ? 'wait' : 'accent'}
        aria-label={t('job.progress')}
      />
      <div className="flex between">
        <Link to="/redeliveries">{t('job.all')}</Link>
        {status === 'running' && (
          <Action loading={cancel.isPending} onClick={() => cancel.mutate({ path: { id } }, { onError: toastFailed })}>
            {t('job.cancel')}
          </Action>
        )}
      </div>
    </div>
  )
}
