import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call, useSend } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { Failed, Skeleton } from '#ui/states.tsx'
import { Time } from '#ui/time.tsx'
import { toastDone, toastFailed } from '#ui/toast.tsx'
import { Code } from './code.tsx'
import { useNames } from './names.ts'
import { aboutOf } from './object-label.ts'
import { useChangeReports } from './changes.ts'
import { isNone, isUncounted, retryAllPath, wouldRetry } from './retry-all.ts'
import { offerUndo, sayFinal } from './undo.ts'

export type What = 'close' | 'retry'

type Group = Schema<'ErrorReportGroup'>

interface ActOnAllProps {
  readonly group: Group
  readonly what: What
  readonly done: () => void
  /** A job closes them, because there are many. @param total how many */
  readonly onJob: (total: number) => void
}

const closeAllPath = '/api/v1/error_report_groups/{id}/resolve_all'

/** Says how many reports of a group will be closed or tried again, and shows the oldest, before it is done. */
export const ActOnAll = ({ group, what, done, onJob }: ActOnAllProps) => {
  const { t } = useTranslation('error-reports')
  return (
    <Modal opened onClose={done} title={t(`${what}_all_title`)} size="lg">
      <div className="stack">
        {what === 'close' ? (
          <CloseAll group={group} done={done} onJob={onJob} />
        ) : (
          <RetryAll group={group} done={done} />
        )}
      </div>
    </Modal>
  )
}

type PartProps = Omit<ActOnAllProps, 'what'>

const CloseAll = ({ group: { id }, done, onJob }: PartProps) => {
  const { t } = useTranslation('error-reports')
  const { undoClose } = useChangeReports()
  const resolve = useSend('post', closeAllPath)
  const { data: would, error } = useQuery({
    queryKey: ['dry_run', closeAllPath, id],
    queryFn: () => call('post', closeAllPath, { path: { id }, query: { dry_run: true } }),
    gcTime: 0,
  })
  const run = async (): Promise<void> => {
    const { status, total, undo } = await resolve.mutateAsync({ path: { id } })
    done()
    if (status === 'in_progress') onJob(total)
    const text = t(status === 'in_progress' ? 'closing' : 'closed', { count: total })
    if (undo === null) toastDone(text)
    else offerUndo(text, () => undoClose(undo))
  }
  if (error !== null) return <Failed error={error as never} />
  return (
    <>
      <p>{would === undefined ? <Skeleton /> : t('close_all_why', { count: would.total })}</p>
      <Sample group={id} />
      <Action main loading={resolve.isPending} onClick={() => void run().catch(toastFailed)}>
        {t('close_all_now', { count: would?.total ?? 0 })}
      </Action>
    </>
  )
}

const RetryAll = ({ group: { id }, done }: Omit<PartProps, 'onJob'>) => {
  const { t } = useTranslation('error-reports')
  const retry = useSend('post', retryAllPath)
  const { data: would, error } = useQuery(wouldRetry(id))
  const run = async (): Promise<void> => {
    const { status, total, started } = await retry.mutateAsync({ path: { id } })
    done()
    const text = status === 'in_progress' ? t('retrying', { count: total }) : t('retried', { count: started })
    sayFinal(text, t('retry_is_final'))
  }
  if (error !== null) return <Failed error={error as never} />
  if (would === undefined) return <Skeleton lines={8} width="100%" />
  const { total, started, not_retryable: others, not_allowed: forbidden } = would
  const isNotCounted = isUncounted(would)
  const none = isNone(would) ? t('off.none_retryable') : undefined
  return (
    <>
      {isNotCounted && <p>{t('retry_uncounted', { count: total })}</p>}
      {started > 0 && <p>{t('retry_ours', { count: started })}</p>}
      {others > 0 && <p>{t('retry_others', { count: others })}</p>}
      {forbidden > 0 && <p>{t('retry_forbidden', { count: forbidden })}</p>}
      <Sample group={id} />
      {none !== undefined && <p>{none}</p>}
      <Action main off={none} loading={retry.isPending} onClick={() => void run().catch(toastFailed)}>
        {none === undefined ? t('retry_all_now', { count: isNotCounted ? total : started }) : t('retry')}
      </Action>
    </>
  )
}

/** The oldest open reports of the group. */
const Sample = ({ group }: { readonly group: number }) => {
  const { t } = useTranslation('error-reports')
  const names = useNames()
  const { data } = useQuery({
    queryKey: ['dry_run', 'sample', group],
    queryFn: () => call('post', '/api/v1/error_reports/resolve', { query: { group, is_ok: false, dry_run: true } }),
    gcTime: 0,
  })
  return (
    <div>
      <h3>{t('oldest')}</h3>
      {data === undefined ? (
        <Skeleton lines={5} width="100%" />
      ) : (
        <table className="table">
          <tbody>
            {data.sample.map((report) => (
              <tr key={report.id}>
                <td className="muted">
                  <Time at={report.created_date} as="moment" />
                </td>
                <td>{aboutOf(report, names)}</td>
                <td className="wide">
                  <Code code={report.error_code} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
