import { useTranslation } from 'react-i18next'
import type { RowOf } from '#api/types.ts'
import { GoAction } from '#ui/go-action.tsx'
import { timeColumn } from '#ui/list/columns.tsx'
import type { Column } from '#ui/list/list-table.tsx'
import { ListScreen } from '#ui/list/list-screen.tsx'
import { queryOf, useList, type ListDefinition } from '#ui/list/use-list.ts'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Status } from '#ui/status.tsx'
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
  { name: 'role', title: 'field.role', isWide: true, render: (user, t) => t(roleOf(user)) },
  timeColumn('created_at'),
]

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(users, search)]

/** Everybody who can log in. */
export const UsersScreen = () => {
  const { t } = useTranslation('users')
  return (
    <ListScreen
      list={useList(users)}
      columns={columns}
      rowTo={(user) => `/users/${user.id}`}
      create={
        <GoAction main to="/users/new">
          {t('add')}
        </GoAction>
      }
    />
  )
}
