import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { recordOf } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Page } from '#ui/page.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Failed, Skeleton } from '#ui/states.tsx'
import { Time } from '#ui/time.tsx'
import { useIdParam } from '#ui/use-params.ts'
import { useNames } from './names.ts'
import { ReportActions } from './report-actions.tsx'
import { ReportState } from './report-state.tsx'
import { ReportView } from './report-view.tsx'
import { useUndoKey } from './undo.ts'

const reportOf = (id: number) => recordOf('/api/v1/error_reports/{id}', { path: { id } })

export const asks = ({ params }: Address): readonly AnyQuery[] => [reportOf(Number(params['id']))]

/** Where letters lead to: a report within its group, or alone when it has none. */
export const ReportScreen = () => {
  const { data: report, error, refetch } = useQuery(reportOf(useIdParam()))
  if (report === undefined)
    return error === null ? <Skeleton lines={20} width="100%" /> : <Failed error={error} retry={() => void refetch()} />
  if (report.group === null) return <Alone report={report} />
  const search = { report: String(report.id), ...(report.is_ok && { reports: 'all' }) }
  return <Navigate to={`/error_report_groups/${report.group}` as never} search={search as never} replace />
}

const Alone = ({ report }: { readonly report: Schema<'ErrorReport'> }) => {
  const { t } = useTranslation('error-reports')
  const names = useNames()
  useUndoKey()
  return (
    <Page
      title={t('report_title', { kind: names.kind(report.action_content_type), id: report.action_object_id })}
      about={
        <>
          <ReportState report={report} /> {names.channel(report.channel)} ·{' '}
          <Time at={report.created_date} as="moment" />
        </>
      }
      actions={<ReportActions report={report} />}
    >
      <ReportView report={report} title="" />
    </Page>
  )
}
