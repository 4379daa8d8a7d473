import { useTranslation } from 'react-i18next'
import { GoAction } from '#ui/go-action.tsx'
import type { Column } from '#ui/list/list-table.tsx'
import { ListScreen } from '#ui/list/list-screen.tsx'
import { queryOf, useList, type ListDefinition } from '#ui/list/use-list.ts'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Time } from '#ui/time.tsx'
import { FlowHealth } from './flow-health.tsx'
import type { Flow } from './flow-queries.ts'

const flows: ListDefinition<'/api/nifi/flows'> = {
  path: '/api/nifi/flows',
  texts: 'flows',
  filters: [
    { name: 'created_at', label: 'field.created', kind: 'time' },
    { name: 'modified_at', label: 'field.modified_at', kind: 'time' },
  ],
}

const columns: readonly Column<Flow>[] = [
  { name: 'name', title: 'field.name', render: (flow) => (flow.name === '' ? `#${flow.id}` : flow.name) },
  { name: 'direction', title: 'field.direction', render: (flow, t) => t(`direction.${flow.direction}`) },
  { name: 'health', title: 'field.health', render: (flow) => <FlowHealth flow={flow} /> },
  { name: 'target', title: 'field.target', isWide: true, render: (flow) => <code>{flow.target ?? '–'}</code> },
  { name: 'modified_at', title: 'field.modified_at', isWide: true, render: (flow) => <Time at={flow.modified_at} /> },
]

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(flows, search)]

/** What carries data to and from other systems. */
export const FlowsScreen = () => {
  const { t } = useTranslation('flows')
  return (
    <ListScreen
      list={useList(flows)}
      columns={columns}
      rowTo={(flow) => `/flows/${flow.id}`}
      create={
        <GoAction main to="/flows/new">
          {t('add')}
        </GoAction>
      }
    />
  )
}
