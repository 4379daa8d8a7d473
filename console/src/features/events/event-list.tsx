import type { RowOf } from '#api/types.ts'
import { EventObject } from '#ui/event-object.tsx'
import type { Column } from '#ui/list/list-table.tsx'
import type { ListDefinition } from '#ui/list/use-list.ts'
import { Time } from '#ui/time.tsx'

type Event = RowOf<'/api/v1/events'>

/** What happened. Without a filter it begins with the last day, as the log of deliveries does. */
export const events: ListDefinition<'/api/v1/events'> = {
  path: '/api/v1/events',
  texts: 'events',
  initial: { created_date__gte: '-24h' },
  filters: [
    { name: 'type', label: 'field.type', kind: 'text' },
    { name: 'created_date', label: 'field.time', kind: 'time' },
    { name: 'object_type', label: 'field.object_type', kind: 'text' },
    { name: 'object_id', label: 'field.object_id', kind: 'text' },
  ],
}

export const columns: readonly Column<Event>[] = [
  {
    name: 'time',
    title: 'field.time',
    ordering: 'created_date',
    render: ({ occurred_at: at }) => (
      <span className="muted">
        <Time at={at} />
      </span>
    ),
  },
  {
    name: 'type',
    title: 'field.type',
    render: ({ type, is_test: isTest }, t) => (
      <>
        <code>{type}</code>
        {isTest && <span className="muted"> {t('test')}</span>}
      </>
    ),
  },
  { name: 'about', title: 'field.about', render: (event) => <EventObject of={event} /> },
  {
    name: 'sequence',
    title: 'field.sequence',
    isNumber: true,
    isWide: true,
    render: ({ sequence }) => sequence ?? <span className="muted">–</span>,
  },
]
