import { contentTypes, hooks } from '#parts/records.ts'
import { EventObject } from '#ui/event-object.tsx'
import { reasons } from '#ui/delivery/ending.ts'
import type { Column } from '#ui/list/list-table.tsx'
import type { ListDefinition } from '#ui/list/use-list.ts'
import { Time } from '#ui/time.tsx'
import { Countdown } from './countdown.tsx'
import { DeliveryStatus } from './delivery-status.tsx'
import type { Delivery } from './outcome.ts'
import { Receiver } from './receiver.tsx'

const statuses: readonly Delivery['status'][] = ['pending', 'delivered', 'failed', 'held', 'waiting', 'cancelled']

/** The log of what was delivered to hooks. Without a filter it begins with the last day, as the histogram of the API does. */
export const deliveries: ListDefinition<'/whisperer/hook_events'> = {
  path: '/whisperer/hook_events',
  texts: 'deliveries',
  initial: { created_date__gte: '-24h' },
  filters: [
    {
      name: 'status',
      label: 'field.status',
      kind: 'choice',
      choices: statuses.map((value) => ({ value, label: `stage.${value}` })),
    },
    { name: 'created_date', label: 'field.time', kind: 'time' },
    { name: 'event_type', label: 'field.event_type', kind: 'text' },
    { name: 'webhook', label: 'field.hook', kind: 'record', records: hooks },
    { name: 'response_http_status', label: 'field.response_http_status', kind: 'number' },
    {
      name: 'reason',
      label: 'field.reason',
      kind: 'choice',
      choices: reasons.map((value) => ({ value, label: `reason.${value}` })),
    },
    { name: 'object_type', label: 'field.object_type', kind: 'text' },
    { name: 'object_id', label: 'field.object_id', kind: 'text' },
    { name: 'content_type', label: 'field.content_type', kind: 'record', records: contentTypes },
    { name: 'uuid', label: 'field.uuid', kind: 'text' },
    { name: 'delivered', label: 'field.delivered', kind: 'yesno' },
    { name: 'waiting_for_earlier', label: 'field.waiting_for_earlier', kind: 'yesno' },
  ],
}

export const columns: readonly Column<Delivery>[] = [
  {
    name: 'time',
    title: 'field.time',
    ordering: 'created_date',
    render: ({ created_date: at }) => (
      <span className="muted">
        <Time at={at} as="log" />
      </span>
    ),
  },
  { name: 'outcome', title: 'field.status', render: (delivery) => <DeliveryStatus delivery={delivery} /> },
  { name: 'event', title: 'field.event_type', render: ({ event_type: name }) => <code>{name}</code> },
  { name: 'about', title: 'field.about', isWide: true, render: (delivery) => <EventObject of={delivery} /> },
  { name: 'to', title: 'field.to', isWide: true, render: ({ webhook }) => <Receiver hook={webhook} /> },
  {
    name: 'tries',
    title: 'field.tries',
    isNumber: true,
    isWide: true,
    render: ({ attempt_count: tries }) => tries,
  },
  { name: 'next', title: 'field.next', isWide: true, render: (delivery) => <Countdown delivery={delivery} /> },
]
