import type { Schema } from '#api/types.ts'
import { errorGroups } from '#parts/records.ts'
import type { Column } from '#ui/list/list-table.tsx'
import type { ListDefinition } from '#ui/list/use-list.ts'
import { Time } from '#ui/time.tsx'
import { Code } from './code.tsx'
import type { Names } from './names.ts'
import { ReportState } from './report-state.tsx'
import { isUnsaid } from './sentence.ts'

type Report = Schema<'ErrorReport'>

/** All reports, also logs of success. @param choices what its filters choose from; none where only the question matters */
export const reportList = (choices?: Names['choices']): ListDefinition<'/api/v1/error_reports'> => ({
  path: '/api/v1/error_reports',
  texts: 'error-reports',
  filters: [
    { name: 'is_ok', label: 'filter.is_ok', kind: 'yesno' },
    { name: 'q', label: 'filter.q', kind: 'text' },
    { name: 'channel', label: 'filter.channel', kind: 'choice', choices: choices?.channels ?? [] },
    { name: 'catalog', label: 'filter.catalog', kind: 'text' },
    { name: 'error_code', label: 'code', kind: 'text' },
    { name: 'group', label: 'filter.group', kind: 'record', records: errorGroups },
    { name: 'action_content_type', label: 'filter.kind', kind: 'choice', choices: choices?.models ?? [] },
    { name: 'action_object_id__in', label: 'filter.objects', kind: 'text' },
    { name: 'target_content_type', label: 'filter.target_kind', kind: 'choice', choices: choices?.models ?? [] },
    { name: 'target_object_id', label: 'filter.target_id', kind: 'number' },
    { name: 'created_date', label: 'reported', kind: 'time' },
    { name: 'updated_date', label: 'filter.updated', kind: 'time' },
  ],
})

/** The columns that need no names; the others are made with them. */
export const columnsOf = (names: Names): readonly Column<Report>[] => [
  {
    name: 'reported',
    title: 'reported',
    ordering: 'created_date',
    render: ({ created_date: at }) => <Time at={at} />,
  },
  { name: 'state', title: 'filter.state', render: (report) => <ReportState report={report} /> },
  { name: 'code', title: 'code', render: ({ error_code: code }) => <Code code={code} /> },
  { name: 'words', title: 'words', isWide: true, render: ({ error_desc: words }) => (isUnsaid(words) ? '' : words) },
  { name: 'channel', title: 'filter.channel', isWide: true, render: ({ channel }) => names.channel(channel) },
  {
    name: 'about',
    title: 'about',
    isWide: true,
    render: (report) => `${names.kind(report.action_content_type)} ${report.action_object_id}`,
  },
]
