import { Checkbox, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { Time } from '#ui/time.tsx'
import { ChangeChosen } from './change-chosen.tsx'
import { Code } from './code.tsx'
import { useNames } from './names.ts'
import { aboutOf } from './object-label.ts'
import { ReportState } from './report-state.tsx'
import type { ReportWalk } from './report-walk.ts'
import classes from './error-reports.module.css'

type Report = Schema<'ErrorReport'>

interface ReportTableProps {
  readonly walk: ReportWalk
  readonly openCount: number
}

const nothing: ReadonlySet<number> = new Set()

/** The reports of a group, to go to one, and to close or reopen some. */
export const ReportTable = ({ walk, openCount }: ReportTableProps) => {
  const { t } = useTranslation('error-reports')
  const [chosen, setChosen] = useState(nothing)
  const rows = walk.rows.filter(({ id }) => chosen.has(id))
  return (
    <section className="stack">
      <div className="flex between wrap">
        <SegmentedControl
          size="xs"
          aria-label={t('which_reports')}
          value={walk.isAll ? 'all' : 'open'}
          onChange={(value) => walk.showAll(value === 'all')}
          disabled={openCount === 0}
          data={[
            { value: 'open', label: t('open_reports', { count: openCount }) },
            { value: 'all', label: t('all_of_them') },
          ]}
        />
        <ChangeChosen rows={rows} done={() => setChosen(nothing)} />
      </div>
      <Rows walk={walk} chosen={chosen} choose={setChosen} />
      <Pages walk={walk} />
    </section>
  )
}

interface RowsProps {
  readonly walk: ReportWalk
  readonly chosen: ReadonlySet<number>
  readonly choose: (ids: ReadonlySet<number>) => void
}

const Rows = ({ walk, chosen, choose }: RowsProps) => {
  const { t } = useTranslation('error-reports')
  const { t: common } = useTranslation('texts')
  const count = walk.rows.filter(({ id }) => chosen.has(id)).length
  const isAll = count > 0 && count === walk.rows.length
  return (
    <table className="table">
      <thead>
        <tr>
          <th style={{ width: 32 }}>
            <Checkbox
              aria-label={common('list.select_all')}
              checked={isAll}
              indeterminate={count > 0 && !isAll}
              onChange={() => choose(isAll ? nothing : new Set(walk.rows.map(({ id }) => id)))}
            />
          </th>
          <th>{t('reported')}</th>
          <th>{t('about')}</th>
          <th className="wide">{t('code')}</th>
          <th>{t('filter.state')}</th>
        </tr>
      </thead>
      <tbody>
        {walk.rows.map((report) => (
          <Row
            key={report.id}
            report={report}
            isOpen={report.id === walk.chosen}
            isChosen={chosen.has(report.id)}
            choose={() => choose(toggled(chosen, report.id))}
            go={() => {
              walk.go(report.id)
              document.querySelector('[data-report]')?.scrollIntoView({ block: 'start' })
            }}
          />
        ))}
      </tbody>
    </table>
  )
}

const Pages = ({ walk }: { readonly walk: ReportWalk }) => {
  const { t } = useTranslation('texts')
  if (walk.pages <= 1) return null
  return (
    <div className="flex between small">
      <span className="muted">{t('list.page', { page: walk.page, pages: walk.pages })}</span>
      <span className="flex">
        {walk.page > 1 && <Action onClick={() => walk.turn(-1)}>{t('list.previous')}</Action>}
        {walk.page < walk.pages && <Action onClick={() => walk.turn(1)}>{t('list.next')}</Action>}
      </span>
    </div>
  )
}

const toggled = (chosen: ReadonlySet<number>, id: number): ReadonlySet<number> =>
  chosen.has(id) ? new Set([...chosen].filter((one) => one !== id)) : new Set([...chosen, id])

interface RowProps {
  readonly report: Report
  readonly isOpen: boolean
  readonly isChosen: boolean
  readonly choose: () => void
  readonly go: () => void
}

const Row = ({ report, isOpen, isChosen, choose, go }: RowProps) => {
  const names = useNames()
  const { t } = useTranslation('error-reports')
  const { t: common } = useTranslation('texts')
  return (
    <tr data-open={isOpen || undefined} className={classes['reportRow']}>
      <td>
        <Checkbox aria-label={`${common('list.select_row')}: ${report.id}`} checked={isChosen} onChange={choose} />
      </td>
      <td>
        <button type="button" className={classes['rowButton']} onClick={go} aria-current={isOpen || undefined}>
          <Time at={report.created_date} />
        </button>
      </td>
      <td>{aboutOf(report, names)}</td>
      <td className="wide">
        <Code code={report.error_code} />
      </td>
      <td>
        <ReportState report={report} />
        {report.retry_count > 0 && <span className="small muted"> {t('times', { count: report.retry_count })}</span>}
      </td>
    </tr>
  )
}
