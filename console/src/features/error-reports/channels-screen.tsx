import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { listOf } from '#api/queries.ts'
import type { RowOf } from '#api/types.ts'
import { Link } from '#ui/link.tsx'
import { ListAndDrawer } from '#ui/list-and-drawer.tsx'
import type { Column } from '#ui/list/list-table.tsx'
import { ListView } from '#ui/list/list-view.tsx'
import { queryOf, useList, type ListDefinition } from '#ui/list/use-list.ts'
import { Page } from '#ui/page.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Empty } from '#ui/states.tsx'
import { Status } from '#ui/status.tsx'
import { Time } from '#ui/time.tsx'

type Channel = RowOf<'/api/v1/channels'>

const channels: ListDefinition<'/api/v1/channels'> = { path: '/api/v1/channels', texts: 'error-reports', filters: [] }

const columns: readonly Column<Channel>[] = [
  { name: 'name', title: 'channels.name', render: ({ name }) => name },
  {
    name: 'state',
    title: 'filter.state',
    render: ({ is_active: isActive }, t) => (
      <Status outcome={isActive ? 'ok' : 'idle'}>{t(isActive ? 'channels.on' : 'channels.off')}</Status>
    ),
  },
  { name: 'catalog', title: 'filter.catalog', isWide: true, render: ({ catalog }) => <CatalogName id={catalog} /> },
  {
    name: 'errors',
    title: 'title',
    render: ({ id }, t) => <Link to={`/error_report_groups?channel=${id}`}>{t('channels.errors')}</Link>,
  },
  {
    name: 'since',
    title: 'channels.since',
    isWide: true,
    render: ({ created_date: at }) => <Time at={at} as="date" />,
  },
]

const catalogs = listOf('/api/v1/catalogs', { query: { limit: 1_000 } })

/** The name of a catalogue. */
export const CatalogName = ({ id }: { readonly id: number }) => {
  const { data } = useQuery({ ...catalogs, staleTime: 60_000 })
  return data?.rows.find((one) => one.id === id)?.name ?? String(id)
}

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(channels, search), catalogs]

/** Where products are sold, and where most failures come from. */
export const ChannelsScreen = () => {
  const { t } = useTranslation('error-reports')
  const list = useList(channels)
  return (
    <ListAndDrawer>
      <Page title={t('channels.title')} about={t('channels.about')} request={list.request}>
        <ListView
          list={list}
          columns={columns}
          rowTo={({ id }) => `/channels/${id}`}
          empty={<Empty title={t('channels.empty')}>{t('channels.empty_why')}</Empty>}
        />
      </Page>
    </ListAndDrawer>
  )
}
