import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { toastFailed } from '#ui/toast.tsx'
import { useChangeReports } from './changes.ts'
import { sayFinal } from './undo.ts'
import { useKey } from './use-key.ts'

interface ReportActionsProps {
  readonly report: Schema<'ErrorReport'>
  /** Where the screen goes on when the report is closed. */
  readonly goOn?: () => void
  /** Where it comes back to when that is undone. */
  readonly comeBack?: () => void
}

/** Close or reopen, and try again. */
export const ReportActions = ({ report, goOn, comeBack }: ReportActionsProps) => {
  const { t } = useTranslation('error-reports')
  const { close, open, isPending } = useChangeReports()
  const body = { ids: [report.id] }
  const closeIt = (): void => {
    close({ body }, comeBack)
    goOn?.()
  }
  useKey('e', 'error-reports:keys.close', report.is_ok ? t('off.closed') : undefined, closeIt)
  return (
    <>
      <Retry report={report} />
      {report.is_ok ? (
        <Action
          loading={isPending}
          off={report.group === null ? t('off.success') : undefined}
          onClick={() => open({ body })}
        >
          {t('reopen')}
        </Action>
      ) : (
        <Action loading={isPending} onClick={closeIt} keyShortcut="e">
          {t('close')}
        </Action>
      )}
    </>
  )
}

const Retry = ({ report }: { readonly report: Schema<'ErrorReport'> }) => {
  const { t } = useTranslation('error-reports')
  const retry = useSend('post', '/api/v1/error_reports/{id}/retry')
  const off = report.is_retryable ? undefined : t(whyNot(report))
  const send = (): void => {
    if (retry.isPending) return
    void retry
      .mutateAsync({ path: { id: report.id } })
      .then(() => sayFinal(t('retried_report', { id: report.id }), t('retry_is_final')), toastFailed)
  }
  useKey('r', 'error-reports:keys.retry', off, send)
  return (
    <Action off={off} loading={retry.isPending} onClick={send} keyShortcut="r">
      {t('retry')}
    </Action>
  )
}

/** Key of the text that says why it cannot be tried again from here. */
const whyNot = ({ is_ok: isOk, source }: Schema<'ErrorReport'>): string => {
  if (isOk) return 'off.closed'
  return source === null ? 'off.others' : 'off.not_retryable'
}
