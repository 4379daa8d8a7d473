import type { RowOf } from '#api/types.ts'
import { choiceFilter } from '#ui/list/filters.ts'
import type { Column } from '#ui/list/list-table.tsx'
import { ListScreen } from '#ui/list/list-screen.tsx'
import { queryOf, useList, type ListDefinition } from '#ui/list/use-list.ts'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Time } from '#ui/time.tsx'
import { MailStatus } from './mail-status.tsx'

type Mail = RowOf<'/api/v1/mails'>

const statuses = ['waiting', 'sent', 'failed', 'kept'] as const satisfies readonly Mail['status'][]
const purposes = [
  'quotation',
  'endpoint_health',
  'password_reset',
  'invitation',
] as const satisfies readonly Mail['purpose'][]

const mails: ListDefinition<'/api/v1/mails'> = {
  path: '/api/v1/mails',
  texts: 'mails',
  filters: [
    choiceFilter('status', statuses),
    choiceFilter('purpose', purposes),
    { name: 'to', label: 'field.to', kind: 'text' },
    { name: 'created_at', label: 'field.created_at', kind: 'time' },
  ],
}

const columns: readonly Column<Mail>[] = [
  {
    name: 'created_at',
    title: 'field.created_at',
    ordering: 'created_at',
    width: 110,
    render: (mail) => <Time at={mail.created_at} />,
  },
  { name: 'status', title: 'field.status', width: 130, render: (mail) => <MailStatus status={mail.status} /> },
  { name: 'subject', title: 'field.subject', render: (mail) => mail.subject },
  { name: 'to', title: 'field.to', isWide: true, render: (mail) => mail.to },
  { name: 'purpose', title: 'field.purpose', isWide: true, render: (mail, t) => t(`purpose.${mail.purpose}`) },
]

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(mails, search)]

/** Letters to people, whether they left or not. */
export const MailsScreen = () => (
  <ListScreen list={useList(mails)} columns={columns} rowTo={(mail) => `/mails/${mail.id}`} />
)
