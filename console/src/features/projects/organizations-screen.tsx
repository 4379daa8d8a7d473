import { useTranslation } from 'react-i18next'
import type { RowOf } from '#api/types.ts'
import { GoAction } from '#ui/go-action.tsx'
import type { Column } from '#ui/list/list-table.tsx'
import { ListScreen } from '#ui/list/list-screen.tsx'
import { queryOf, useList, type ListDefinition } from '#ui/list/use-list.ts'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Time } from '#ui/time.tsx'
import { useMakingOff } from './rights.ts'

type Organization = RowOf<'/api/v1/organizations'>

const organizations: ListDefinition<'/api/v1/organizations'> = {
  path: '/api/v1/organizations',
  texts: 'projects',
  filters: [{ name: 'createdAt', label: 'field.createdAt', kind: 'time' }],
}

const columns: readonly Column<Organization>[] = [
  { name: 'name', title: 'field.name', ordering: 'name', render: (one) => one.name },
  { name: 'role', title: 'field.own_role', render: (one, t) => t(`role.${one.role}`) },
  { name: 'description', title: 'field.description', isWide: true, render: (one) => one.description },
  {
    name: 'createdAt',
    title: 'field.createdAt',
    ordering: 'createdAt',
    isWide: true,
    render: (one) => <Time at={one.createdAt} as="date" />,
  },
]

export const asks = ({ search }: Address): readonly AnyQuery[] => [queryOf(organizations, search)]

/** The organizations that somebody is a member of. */
export const OrganizationsScreen = () => {
  const { t } = useTranslation('projects')
  const off = useMakingOff()
  return (
    <ListScreen
      list={useList(organizations)}
      columns={columns}
      idOf={(one) => one._id}
      rowTo={(one) => `/organizations/${one._id}`}
      create={
        <GoAction main off={off} to="/organizations/new">
          {t('organizations.new')}
        </GoAction>
      }
    />
  )
}
