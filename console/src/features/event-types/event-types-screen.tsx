import { useTranslation } from 'react-i18next'
import type { RowOf } from '#api/types.ts'
import { GoAction } from '#ui/go-action.tsx'
import type { Column } from '#ui/list/list-table.tsx'
import { ListScreen } from '#ui/list/list-screen.tsx'
import { queryOf, useList, type ListDefinition } from '#ui/list/use-list.ts'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Status } from '#ui/status.tsx'
import { Time } from '#ui/time.tsx'

type EventType = RowOf<'/api/v1/event_types'>

const eventTypes: ListDefinition<'/api/v1/event_types'> = {
  path: '/api/v1/event_types',
  texts: 'event-types',
  filters: [
    { name: 'name', label: 'field.name', kind: 'text' },
    { name: 'is_active', label: 'field.is_active', kind: 'yesno' },
    { name: 'created_date', label: 'field.created', kind: 'time' },
  ],
}

const columns: readonly Column<EventType>[] = [
  { name: 'name', title: 'field.name', render: ({ name }) => <code>{name}</code> },
  {
    name: 'state',
    title: 'field.state',
    render: ({ is_active: isActive }, t) => (
      <Status outcome={isActive ? 'ok' : 'idle'}>{t(isActive ? 'state.on' : 'state.off')}</Status>
    ),
  },
  { name: 'description', title: 'field.description', isWide: true, render: ({ description }) => description },
  {
    name: 'schema',
    title: 'field.schema',
    isWide: true,
    render: ({ schema }, t) => (schema === null ? <span className="muted">–</span> : t('has_schema')),
  },
  { name: 'created', title: 'field.created', isWide: true, render: (type) => <Time at={type.created_date} /> },
]

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(eventTypes, search)]

/** The types of events of one's own. */
export const EventTypesScreen = () => {
  const { t } = useTranslation('event-types')
  return (
    <ListScreen
      list={useList(eventTypes)}
      columns={columns}
      idOf={({ name }) => name}
      rowTo={({ name }) => `/event_types/${name}`}
      create={
        <GoAction main to="/event_types/new">
          {t('new.open')}
        </GoAction>
      }
    />
  )
}
