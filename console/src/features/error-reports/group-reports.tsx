import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { recordOf } from '#api/queries.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { Link } from '#ui/link.tsx'
import { useShortcut } from '#ui/shortcuts.ts'
import { Failed, Skeleton } from '#ui/states.tsx'
import { formatNumber } from '#ui/texts/format.ts'
import { Time } from '#ui/time.tsx'
import { Keys } from './keys.tsx'
import { useNames } from './names.ts'
import { aboutOf, labelOf } from './object-label.ts'
import { placeOf } from './place.ts'
import { ReportActions } from './report-actions.tsx'
import { ReportTable } from './report-table.tsx'
import { ReportView } from './report-view.tsx'
import { useReportWalk, type ReportWalk } from './report-walk.ts'
import classes from './error-reports.module.css'

type Report = Schema<'ErrorReport'>

/** The reports of a group: one in full, and all in a table to go to and choose from. */
export const GroupReports = ({ group }: { readonly group: Schema<'ErrorReportGroup'> }) => {
  const walk = useReportWalk(group)
  const { data, error } = useQuery({
    ...recordOf('/api/v1/error_reports/{id}', { path: { id: walk.chosen ?? 0 } }),
    enabled: walk.chosen !== undefined,
  })
  // The row of the list has all but the end of long texts.
  const report = data ?? walk.row
  useShortcut('j', 'error-reports:keys.next_report', () => walk.step(1))
  useShortcut('k', 'error-reports:keys.previous_report', () => walk.step(-1))
  return (
    <>
      {report !== undefined && <Shown report={report} walk={walk} group={group} />}
      {report === undefined && error !== null && <Failed error={error} />}
      {report === undefined && error === null && walk.total > 0 && <Skeleton lines={16} width="100%" />}
      <ReportTable walk={walk} openCount={group.open_count} />
    </>
  )
}

interface ShownProps {
  readonly report: Report
  readonly walk: ReportWalk
  readonly group: Schema<'ErrorReportGroup'>
}

const Shown = ({ report, walk, group }: ShownProps) => {
  const { t } = useTranslation('error-reports')
  const names = useNames()
  const { following } = walk
  return (
    <>
      <div className={classes['titleLine']} data-report={report.id}>
        <div>
          <h2>
            {walk.position === undefined
              ? t('report_id', { id: report.id })
              : t('report_of', { position: formatNumber(walk.position), count: walk.total })}{' '}
            <span className="muted" style={{ fontWeight: 400 }}>
              · {aboutOf(report, names)} · <Receiver report={report} />
              <Time at={report.created_date} />
            </span>{' '}
            <News group={group} walk={walk} />
          </h2>
          <Keys hasPlace={placeOf(report, names.modelOf(report.action_content_type)) !== undefined} />
        </div>
        <div className="flex wrap">
          <Action onClick={() => walk.step(-1)} keyShortcut="k" off={walk.position === 1 ? t('off.first') : undefined}>
            {t('previous')}
          </Action>
          <Action
            onClick={() => walk.step(1)}
            keyShortcut="j"
            off={walk.position === walk.total ? t('off.last') : undefined}
          >
            {t('next')}
          </Action>
          <ReportActions
            report={report}
            goOn={() => following !== undefined && walk.go(following.id)}
            comeBack={() => walk.go(report.id)}
          />
        </div>
      </div>
      <ReportView report={report} title={group.title} />
    </>
  )
}

/** Whom a delivery was for. Its title names the server alone, because the rest of an address may be a secret. */
const Receiver = ({ report: { source, links, target, target_object_id: id } }: { readonly report: Report }) => {
  const { t } = useTranslation('error-reports')
  if (source !== 'delivery' || links.target === null || id === null) return null
  const label = labelOf(target, id)
  return (
    <>
      <Link to={links.target.path}>{label === `Webhook ${id}` ? `${t('kind.webhook')} ${id}` : label}</Link> ·{' '}
    </>
  )
}

/** How many failures came since the list was read. */
const News = ({ group, walk }: { readonly group: Schema<'ErrorReportGroup'>; readonly walk: ReportWalk }) => {
  const { t } = useTranslation('error-reports')
  const readAt = walk.result.dataUpdatedAt
  const [base, setBase] = useState({ readAt, count: group.count })
  if (base.readAt !== readAt) setBase({ readAt, count: group.count })
  const more = group.count - base.count
  return (
    <span aria-live="polite">
      {more > 0 && (
        <button type="button" className={classes['newsButton']} onClick={walk.renew}>
          {t('more_reports', { count: more })}
        </button>
      )}
    </span>
  )
}
