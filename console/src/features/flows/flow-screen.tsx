import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ListAndDrawer } from '#ui/list-and-drawer.tsx'
import type { Column } from '#ui/list/list-table.tsx'
import { ListView } from '#ui/list/list-view.tsx'
import { queryOf, useList } from '#ui/list/use-list.ts'
import { Page } from '#ui/page.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Empty, Failed, Skeleton } from '#ui/states.tsx'
import { Status } from '#ui/status.tsx'
import { formatBytes } from '#ui/texts/format.ts'
import { Time } from '#ui/time.tsx'
import { useIdParam } from '#ui/use-params.ts'
import { FlowActions } from './flow-actions.tsx'
import { FlowFacts } from './flow-facts.tsx'
import { flowOf, healthOf, runOutcomes, runsOf, type Run } from './flow-queries.ts'

export const asks = ({ params, search }: Address): readonly AnyQuery[] => {
  const id = Number(params['flowId'])
  return [flowOf(id), healthOf(id), queryOf(runsOf(id), search)]
}

const columns: readonly Column<Run>[] = [
  { name: 'created_at', title: 'field.created_at', width: 110, render: (run) => <Time at={run.created_at} /> },
  {
    name: 'state',
    title: 'field.state',
    render: (run, t) => (
      <Status outcome={runOutcomes[run.state]}>
        {t(`run.${run.state}`)} {run.last_status}
      </Status>
    ),
  },
  { name: 'attempts', title: 'field.attempts', isNumber: true, render: (run) => run.attempts },
  { name: 'size', title: 'field.size', isNumber: true, isWide: true, render: (run) => formatBytes(run.size) },
  { name: 'content_type', title: 'field.content_type', isWide: true, render: (run) => run.content_type ?? '–' },
  { name: 'next', title: 'field.next_attempt_at', isWide: true, render: (run) => <Time at={run.next_attempt_at} /> },
]

/** One flow: how its target is doing, and every piece of data that went through it. */
export const FlowScreen = () => {
  const { t } = useTranslation('flows')
  const id = useIdParam('flowId')
  const { data: flow, error, refetch } = useQuery(flowOf(id))
  const list = useList(runsOf(id))
  if (flow === undefined)
    return error === null ? <Skeleton lines={16} width="100%" /> : <Failed error={error} retry={() => void refetch()} />
  return (
    <ListAndDrawer>
      <Page
        title={flow.name === '' ? t('unnamed', { id }) : flow.name}
        about={t(`direction_why.${flow.direction}`, { target: flow.target ?? '' })}
        actions={<FlowActions flow={flow} />}
        request={list.request}
      >
        <FlowFacts flow={flow} />
        <h2>{t('runs')}</h2>
        <ListView
          list={list}
          columns={columns}
          idOf={(run) => run.run_id}
          rowTo={(run) => `/flows/${id}/runs/${run.run_id}`}
          empty={<Empty title={t('no_runs')}>{t(`no_runs_why.${flow.direction}`)}</Empty>}
        />
      </Page>
    </ListAndDrawer>
  )
}
