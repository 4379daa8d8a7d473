import type { Column } from '#ui/list/list-table.tsx'
import { ListScreen } from '#ui/list/list-screen.tsx'
import { queryOf, useList } from '#ui/list/use-list.ts'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Time } from '#ui/time.tsx'
import { audit, type Entry } from './audit-list.ts'
import { actionOf } from './action.ts'
import { briefOf } from './changes.ts'

const columns: readonly Column<Entry>[] = [
  { name: 'created_at', title: 'field.created_at', width: 110, render: (entry) => <Time at={entry.created_at} /> },
  { name: 'user', title: 'field.user', render: (entry, t) => entry.user?.email ?? t('nobody') },
  { name: 'action', title: 'field.action', render: (entry, t) => actionOf(entry, t) },
  {
    name: 'object',
    title: 'field.object',
    isWide: true,
    render: (entry) => (
      <>
        {entry.object_type} <span className="muted">{entry.object_id}</span>
      </>
    ),
  },
  {
    name: 'fields',
    title: 'field.fields',
    isWide: true,
    render: (entry) => <span className="muted">{briefOf(entry)}</span>,
  },
]

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(audit, search)]

/** Who did what. */
export const AuditScreen = () => (
  <ListScreen list={useList(audit)} columns={columns} rowTo={(entry) => `/audit/${entry.id}`} />
)
