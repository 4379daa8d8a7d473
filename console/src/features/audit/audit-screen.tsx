import { useTranslation } from 'react-i18next'
import { ListAndDrawer } from '#ui/list-and-drawer.tsx'
import type { Column } from '#ui/list/list-table.tsx'
import { ListView } from '#ui/list/list-view.tsx'
import { queryOf, useList } from '#ui/list/use-list.ts'
import { Page } from '#ui/page.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Empty } from '#ui/states.tsx'
import { Time } from '#ui/time.tsx'
import { audit, type Entry } from './audit-list.ts'
import { changesOf } from './changes.ts'

const columns: readonly Column<Entry>[] = [
  { name: 'created_at', title: 'field.created_at', width: 110, render: (entry) => <Time at={entry.created_at} /> },
  { name: 'user', title: 'field.user', render: (entry, t) => entry.user?.email ?? t('nobody') },
  { name: 'action', title: 'field.action', render: (entry) => <code>{entry.action}</code> },
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
    render: (entry) => (
      <span className="muted">
        {changesOf(entry)
          .map(({ name }) => name)
          .join(', ')}
      </span>
    ),
  },
]

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(audit, search)]

/** Who did what. */
export const AuditScreen = () => {
  const { t } = useTranslation('audit')
  const list = useList(audit)
  return (
    <ListAndDrawer>
      <Page title={t('title')} about={t('about')} request={list.request}>
        <ListView
          list={list}
          columns={columns}
          rowTo={(entry) => `/audit/${entry.id}`}
          empty={<Empty title={t('empty')}>{t('empty_why')}</Empty>}
        />
      </Page>
    </ListAndDrawer>
  )
}
