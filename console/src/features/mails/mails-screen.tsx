import { useTranslation } from 'react-i18next'
import type { RowOf } from '#api/types.ts'
import { ListAndDrawer } from '#ui/list-and-drawer.tsx'
import type { Column } from '#ui/list/list-table.tsx'
import { ListView } from '#ui/list/list-view.tsx'
import { queryOf, useList, type ListDefinition } from '#ui/list/use-list.ts'
import { Page } from '#ui/page.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Empty } from '#ui/states.tsx'
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
    {
      name: 'status',
      label: 'field.status',
      kind: 'choice',
      isRepeatable: true,
      choices: statuses.map((value) => ({ value, label: `status.${value}` })),
    },
    {
      name: 'purpose',
      label: 'field.purpose',
      kind: 'choice',
      isRepeatable: true,
      choices: purposes.map((value) => ({ value, label: `purpose.${value}` })),
    },
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
export const MailsScreen = () => {
  const { t } = useTranslation('mails')
  const list = useList(mails)
  return (
    <ListAndDrawer>
      <Page title={t('title')} about={t('about')} request={list.request}>
        <ListView
          list={list}
          columns={columns}
          rowTo={(mail) => `/mails/${mail.id}`}
          empty={<Empty title={t('empty')}>{t('empty_why')}</Empty>}
        />
      </Page>
    </ListAndDrawer>
  )
}
