import { useTranslation } from 'react-i18next'
import type { RowOf } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { useGo } from '#ui/go.ts'
import { ListAndDrawer } from '#ui/list-and-drawer.tsx'
import type { Column } from '#ui/list/list-table.tsx'
import { ListView } from '#ui/list/list-view.tsx'
import { queryOf, useList, type ListDefinition } from '#ui/list/use-list.ts'
import { Page } from '#ui/page.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Empty } from '#ui/states.tsx'
import { Status } from '#ui/status.tsx'
import { Time } from '#ui/time.tsx'
import { roleOf } from './access.ts'

type User = RowOf<'/api/v1/users'>

const users: ListDefinition<'/api/v1/users'> = {
  path: '/api/v1/users',
  texts: 'users',
  filters: [
    { name: 'email', label: 'field.email', kind: 'text' },
    { name: 'is_staff', label: 'field.is_staff', kind: 'yesno' },
    { name: 'is_active', label: 'field.is_active', kind: 'yesno' },
    { name: 'created_at', label: 'field.created_at', kind: 'time' },
  ],
}

const columns: readonly Column<User>[] = [
  { name: 'email', title: 'field.email', ordering: 'email', render: (user) => user.email },
  { name: 'name', title: 'field.name', isWide: true, render: (user) => `${user.first_name} ${user.last_name}` },
  {
    name: 'state',
    title: 'field.state',
    render: (user, t) => (
      <Status outcome={user.is_active ? 'ok' : 'idle'}>{t(user.is_active ? 'state.active' : 'state.inactive')}</Status>
    ),
  },
  { name: 'role', title: 'field.role', render: (user, t) => t(roleOf(user)) },
  {
    name: 'created',
    title: 'field.created_at',
    ordering: 'created_at',
    isWide: true,
    render: (user) => <Time at={user.created_at} />,
  },
]

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(users, search)]

/** Everybody who can log in. */
export const UsersScreen = () => {
  const { t } = useTranslation('users')
  const list = useList(users)
  const go = useGo()
  const add = (
    <Action main onClick={() => go.push('/users/new')}>
      {t('add')}
    </Action>
  )
  return (
    <ListAndDrawer>
      <Page title={t('title')} about={t('about')} request={list.request} actions={add}>
        <ListView
          list={list}
          columns={columns}
          rowTo={(user) => `/users/${user.id}`}
          empty={<Empty title={t('empty')} />}
        />
      </Page>
    </ListAndDrawer>
  )
}
